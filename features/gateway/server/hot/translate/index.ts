import type { Dialect, Model } from '../deps.ts'
import type { Raw } from '../usage.ts'
import { readChatAnswer, readChatStream, writeChatAnswer, writeChatStream } from './chat-answer.ts'
import { readChatAsk } from './chat-read.ts'
import { writeChatAsk } from './chat-write.ts'
import type { Answer, Said, Seal, Spoken, Tongue } from './form.ts'
import { Unexpressible } from './form.ts'
import { readGeminiAnswer, readGeminiStream, writeGeminiAnswer, writeGeminiStream } from './gemini-answer.ts'
import { readGeminiAsk } from './gemini-read.ts'
import { writeGeminiAsk } from './gemini-write.ts'
import { readMessagesAnswer, readMessagesStream, writeMessagesAnswer, writeMessagesStream } from './messages-answer.ts'
import { readMessagesAsk } from './messages-read.ts'
import { MESSAGES_VERSION, writeMessagesAsk } from './messages-write.ts'
import { readResponsesAnswer, readResponsesStream } from './responses-answer.ts'
import { readResponsesAsk } from './responses-read.ts'
import { writeResponsesAnswer, writeResponsesStream } from './responses-speak.ts'
import { writeResponsesAsk } from './responses-write.ts'

const plainDial = () => ({ method: '', query: '', headers: [] })

/** What each dialect can do. The order is that of preference where a model speaks several. */
export const TONGUES: Readonly<Record<Spoken, Tongue>> = {
  'openai-responses': {
    readAsk: readResponsesAsk,
    writeAsk: writeResponsesAsk,
    dial: plainDial,
    readAnswer: readResponsesAnswer,
    streamReader: readResponsesStream,
    writeAnswer: writeResponsesAnswer,
    streamWriter: writeResponsesStream,
  },
  'openai-chat': {
    readAsk: readChatAsk,
    writeAsk: writeChatAsk,
    dial: plainDial,
    readAnswer: readChatAnswer,
    streamReader: readChatStream,
    writeAnswer: writeChatAnswer,
    streamWriter: writeChatStream,
  },
  'anthropic-messages': {
    readAsk: readMessagesAsk,
    writeAsk: writeMessagesAsk,
    dial: () => ({ method: '', query: '', headers: ['anthropic-version', MESSAGES_VERSION] }),
    readAnswer: readMessagesAnswer,
    streamReader: readMessagesStream,
    writeAnswer: writeMessagesAnswer,
    streamWriter: writeMessagesStream,
  },
  'gemini-generate': {
    readAsk: readGeminiAsk,
    writeAsk: writeGeminiAsk,
    dial: (stream) => (stream ? { method: 'streamGenerateContent', query: '?alt=sse', headers: [] } : { method: 'generateContent', query: '', headers: [] }),
    readAnswer: readGeminiAnswer,
    streamReader: readGeminiStream,
    writeAnswer: writeGeminiAnswer,
    streamWriter: writeGeminiStream,
  },
}

export function isSpoken(dialect: Dialect): dialect is Spoken {
  return Object.hasOwn(TONGUES, dialect)
}

/** True when the model answers in this dialect, by itself or by translation. */
export function reaches(model: Model, dialect: Dialect): boolean {
  return model.dialects.has(dialect) || (isSpoken(dialect) && [...model.dialects].some(isSpoken))
}

/** The request in the model's own dialect: the first that can say all of it. Throws Unexpressible with the first one's reason. */
export function translateAsk(model: Model, from: Spoken, body: Raw, stream: boolean, mostOutput: number): { readonly to: Spoken; readonly body: Buffer } {
  const ask = TONGUES[from].readAsk(body, stream)
  let reason: unknown
  for (const to of (Object.keys(TONGUES) as Spoken[]).filter((dialect) => model.dialects.has(dialect))) {
    try {
      return { to, body: Buffer.from(JSON.stringify(TONGUES[to].writeAsk(ask, model.id, mostOutput))) }
    } catch (error) {
      if (!(error instanceof Unexpressible)) throw error
      reason ??= error
    }
  }
  throw reason
}

/** A whole answer from its events. */
export function gathered(events: readonly Said[]): Answer {
  const parts: { kind: 'text' | 'refusal' | 'thinking' | 'call'; text: string; id: string; name: string; args: string; seal: Seal | undefined }[] = []
  const answer = { stop: 'end' as Answer['stop'], sequence: undefined as string | undefined, usage: undefined as Answer['usage'] }
  const fresh = { text: '', id: '', name: '', args: '', seal: undefined }
  for (const said of events) {
    const open = parts.at(-1)
    if (said.kind === 'text' || said.kind === 'refusal' || said.kind === 'thinking') {
      if (open?.kind === said.kind && open.seal === undefined) open.text += said.text
      else parts.push({ ...fresh, kind: said.kind, text: said.text })
    } else if (said.kind === 'seal') {
      if (open?.kind === 'thinking' && open.seal === undefined) open.seal = said.seal
      else parts.push({ ...fresh, kind: 'thinking', seal: said.seal })
    } else if (said.kind === 'call') parts.push({ ...fresh, kind: 'call', id: said.id, name: said.name, seal: said.seal })
    else if (said.kind === 'args' && open?.kind === 'call') open.args += said.text
    else if (said.kind === 'stop') [answer.stop, answer.sequence] = [said.stop, said.sequence]
    else if (said.kind === 'usage') answer.usage = said.usage
  }
  return { ...answer, parts }
}
