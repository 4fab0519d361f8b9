import type { Dialect, Model } from '../deps.ts'
import type { Raw } from '../usage/usage.ts'
import { readChatAnswer, readChatStream, writeChatAnswer, writeChatStream } from './chat/answer.ts'
import { readChatAsk } from './chat/read.ts'
import { writeChatAsk } from './chat/write.ts'
import { readCompletionAsk, writeCompletionAnswer, writeCompletionStream } from './completions.ts'
import { dropping } from './dropped.ts'
import type { Answer, Ask, Ear, Heard, Logprob, Said, Seal, Spoken, Tongue, Variant } from './form.ts'
import { Unexpressible } from './form.ts'
import { readGeminiAnswer, readGeminiStream, writeGeminiAnswer, writeGeminiStream } from './gemini/answer.ts'
import { readGeminiAsk } from './gemini/read.ts'
import { writeGeminiAsk } from './gemini/write.ts'
import { readMessagesAnswer, readMessagesStream, writeMessagesAnswer, writeMessagesStream } from './messages/answer.ts'
import { mended } from './mend.ts'
import { readMessagesAsk } from './messages/read.ts'
import { MESSAGES_VERSION, writeMessagesAsk } from './messages/write.ts'
import { readResponsesAnswer, readResponsesStream } from './responses/answer.ts'
import { readResponsesAsk } from './responses/read.ts'
import { writeResponsesAnswer } from './responses/speak.ts'
import { writeResponsesStream } from './responses/stream.ts'
import { writeResponsesAsk } from './responses/write.ts'

const plainDial = () => ({ method: '', query: '', headers: [] })

/** Translation functions by dialect, in order of preference for models that speak several. */
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
    needsSchema: true,
    readAsk: readMessagesAsk,
    writeAsk: writeMessagesAsk,
    dial: () => ({ method: '', query: '', headers: ['anthropic-version', MESSAGES_VERSION] }),
    readAnswer: readMessagesAnswer,
    streamReader: readMessagesStream,
    writeAnswer: writeMessagesAnswer,
    streamWriter: writeMessagesStream,
  },
  'gemini-generate': {
    callsSideBySide: true,
    readAsk: readGeminiAsk,
    writeAsk: writeGeminiAsk,
    dial: (stream) => (stream ? { method: 'streamGenerateContent', query: '?alt=sse', headers: [] } : { method: 'generateContent', query: '', headers: [] }),
    readAnswer: readGeminiAnswer,
    streamReader: readGeminiStream,
    writeAnswer: writeGeminiAnswer,
    streamWriter: writeGeminiStream,
  },
}

/** How callers are understood and answered. */
export const EARS: Readonly<Record<Heard, Ear>> = {
  ...TONGUES,
  'openai-completions': { readAsk: readCompletionAsk, writeAnswer: writeCompletionAnswer, streamWriter: writeCompletionStream },
}

export function isHeard(dialect: Dialect): dialect is Heard {
  return Object.hasOwn(EARS, dialect)
}

export function isSpoken(dialect: Dialect): dialect is Spoken {
  return Object.hasOwn(TONGUES, dialect)
}

/** True when the model answers in this dialect, by itself or by translation. */
export function reaches(model: Model, dialect: Dialect): boolean {
  return model.dialects.has(dialect) || (isHeard(dialect) && [...model.dialects].some(isSpoken))
}

const NO_TRAITS: NonNullable<Model['traits']> = new Set()

/** A request in the model's own dialect, and the names of what was left out. */
export interface Translated {
  readonly to: Spoken
  readonly body: Buffer
  readonly ask: Ask
  readonly dropped: readonly string[]
}

/** The request in the model's own dialect: the one that says most of it, the first of those. Throws Unexpressible with the first one's reason. */
export function translateAsk(model: Pick<Model, 'id' | 'traits' | 'dialects'>, from: Heard, body: Raw, stream: boolean, mostOutput: number): Translated {
  const read = dropping(() => mended(EARS[from].readAsk(body, stream)))
  const ask = read.value
  const aim = { model: model.id, mostOutput, traits: model.traits ?? NO_TRAITS }
  let best: { readonly to: Spoken; readonly raw: Raw; readonly dropped: readonly string[] } | undefined
  let reason: unknown
  for (const to of (Object.keys(TONGUES) as Spoken[]).filter((dialect) => model.dialects.has(dialect))) {
    try {
      const { value: raw, dropped } = dropping(() => TONGUES[to].writeAsk(ask, aim))
      if (best === undefined || dropped.length < best.dropped.length) best = { to, raw, dropped }
      if (dropped.length === 0) break
    } catch (error) {
      if (!(error instanceof Unexpressible)) throw error
      reason ??= error
    }
  }
  if (best === undefined) throw reason
  return { to: best.to, body: Buffer.from(JSON.stringify(best.raw)), ask, dropped: [...new Set([...read.dropped, ...best.dropped])] }
}

interface Part {
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  text: string
  readonly id: string
  readonly name: string
  args: string
  seal: Seal | undefined
  readonly logprobs: Logprob[]
  readonly ofText?: boolean | undefined
}
interface Gathering {
  readonly parts: Part[]
  stop: Variant['stop']
  sequence: string | undefined
}

/** Whole answers from their events. */
export function gathered(events: readonly Said[]): Answer {
  const variants: Gathering[] = [{ parts: [], stop: 'end', sequence: undefined }]
  let usage: Answer['usage']
  let at = 0
  for (const said of events) {
    if (said.kind === 'choice') {
      at = said.index
      while (variants.length <= at) variants.push({ parts: [], stop: 'end', sequence: undefined })
    } else if (said.kind === 'usage') usage = said.usage
    else gather(variants[at]!, said)
  }
  return { ...variants[0]!, others: variants.slice(1), usage }
}

function gather(into: Gathering, said: Said): void {
  const { parts } = into
  const open = parts.at(-1)
  const begin = (kind: Part['kind'], more: Partial<Part>): void => {
    parts.push({ kind, text: '', id: '', name: '', args: '', seal: undefined, logprobs: [], ...more })
  }
  switch (said.kind) {
    case 'text':
    case 'refusal':
    case 'thinking': {
      if (open?.kind === said.kind && open.seal === undefined) open.text += said.text
      else begin(said.kind, { text: said.text })
      if (said.kind === 'text' && said.logprobs !== undefined) parts.at(-1)!.logprobs.push(...said.logprobs)
      break
    }
    case 'seal':
      if (open?.kind === 'thinking' && open.seal === undefined) open.seal = said.seal
      else begin('thinking', { seal: said.seal, ofText: said.ofText })
      break
    case 'call':
      begin('call', { id: said.id, name: said.name, seal: said.seal })
      break
    case 'args':
      if (open?.kind === 'call') open.args += said.text
      break
    case 'stop':
      into.stop = said.stop
      into.sequence = said.sequence
      break
    default:
  }
}
