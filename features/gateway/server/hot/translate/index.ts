import type { Dialect, GatewayModel } from '../deps.ts'
import type { Raw } from '../usage/usage.ts'
import { readChatAnswer, readChatStream, writeChatAnswer, writeChatStream } from './chat/answer.ts'
import { readChatRequest } from './chat/read.ts'
import { writeChatRequest } from './chat/write.ts'
import { readCompletionRequest, writeCompletionAnswer, writeCompletionStream } from './completions.ts'
import { collectDropped } from './dropped.ts'
import type {
  NeutralAnswer,
  NeutralRequest,
  CallerCodec,
  CallerDialect,
  Logprob,
  AnswerEvent,
  Seal,
  ModelDialect,
  DialectCodec,
  AnswerVariant,
} from './form.ts'
import { UntranslatableError } from './form.ts'
import { readGeminiAnswer, readGeminiStream, writeGeminiAnswer, writeGeminiStream } from './gemini/answer.ts'
import { readGeminiRequest } from './gemini/read.ts'
import { writeGeminiRequest } from './gemini/write.ts'
import { readMessagesAnswer, readMessagesStream, writeMessagesAnswer, writeMessagesStream } from './messages/answer.ts'
import { normalizeRequest } from './normalize-request.ts'
import { readMessagesRequest } from './messages/read.ts'
import { MESSAGES_VERSION, writeMessagesRequest } from './messages/write.ts'
import { readResponsesAnswer, readResponsesStream } from './responses/answer.ts'
import { readResponsesRequest } from './responses/read.ts'
import { writeResponsesAnswer } from './responses/write-answer.ts'
import { writeResponsesStream } from './responses/stream.ts'
import { writeResponsesRequest } from './responses/write.ts'

const plainDial = () => ({ method: '', query: '', headers: [] })

/** Translation functions by dialect, in order of preference for models that speak several. */
export const DIALECT_CODECS: Readonly<Record<ModelDialect, DialectCodec>> = {
  'openai-responses': {
    readAsk: readResponsesRequest,
    writeAsk: writeResponsesRequest,
    dial: plainDial,
    readAnswer: readResponsesAnswer,
    streamReader: readResponsesStream,
    writeAnswer: writeResponsesAnswer,
    streamWriter: writeResponsesStream,
  },
  'openai-chat': {
    readAsk: readChatRequest,
    writeAsk: writeChatRequest,
    dial: plainDial,
    readAnswer: readChatAnswer,
    streamReader: readChatStream,
    writeAnswer: writeChatAnswer,
    streamWriter: writeChatStream,
  },
  'anthropic-messages': {
    needsSchema: true,
    readAsk: readMessagesRequest,
    writeAsk: writeMessagesRequest,
    dial: () => ({ method: '', query: '', headers: ['anthropic-version', MESSAGES_VERSION] }),
    readAnswer: readMessagesAnswer,
    streamReader: readMessagesStream,
    writeAnswer: writeMessagesAnswer,
    streamWriter: writeMessagesStream,
  },
  'gemini-generate': {
    callsSideBySide: true,
    readAsk: readGeminiRequest,
    writeAsk: writeGeminiRequest,
    dial: (stream) => (stream ? { method: 'streamGenerateContent', query: '?alt=sse', headers: [] } : { method: 'generateContent', query: '', headers: [] }),
    readAnswer: readGeminiAnswer,
    streamReader: readGeminiStream,
    writeAnswer: writeGeminiAnswer,
    streamWriter: writeGeminiStream,
  },
}

/** Readers and writers for callers' dialects. */
export const CALLER_CODECS: Readonly<Record<CallerDialect, CallerCodec>> = {
  ...DIALECT_CODECS,
  'openai-completions': { readAsk: readCompletionRequest, writeAnswer: writeCompletionAnswer, streamWriter: writeCompletionStream },
}

export function isCallerDialect(dialect: Dialect): dialect is CallerDialect {
  return Object.hasOwn(CALLER_CODECS, dialect)
}

export function isModelDialect(dialect: Dialect): dialect is ModelDialect {
  return Object.hasOwn(DIALECT_CODECS, dialect)
}

/** True if the model answers in this dialect, directly or by translation. */
export function canServeDialect(model: GatewayModel, dialect: Dialect): boolean {
  return model.dialects.has(dialect) || (isCallerDialect(dialect) && [...model.dialects].some(isModelDialect))
}

const NO_TRAITS: NonNullable<GatewayModel['traits']> = new Set()

/** A request in the model's own dialect, and the names of the dropped fields. */
export interface RequestTranslation {
  readonly to: ModelDialect
  readonly body: Buffer
  readonly ask: NeutralRequest
  readonly dropped: readonly string[]
}

/**
 * Writes the request in the model's own dialect: the one that drops the fewest fields, or the first of those. Throws Unexpressible with the
 * first one's reason.
 */
export function translateRequest(
  model: Pick<GatewayModel, 'id' | 'traits' | 'dialects'>,
  from: CallerDialect,
  body: Raw,
  stream: boolean,
  mostOutput: number,
): RequestTranslation {
  const read = collectDropped(() => normalizeRequest(CALLER_CODECS[from].readAsk(body, stream)))
  const ask = read.value
  const aim = { model: model.id, mostOutput, traits: model.traits ?? NO_TRAITS }
  let best: { readonly to: ModelDialect; readonly raw: Raw; readonly dropped: readonly string[] } | undefined
  let reason: unknown
  for (const to of (Object.keys(DIALECT_CODECS) as ModelDialect[]).filter((dialect) => model.dialects.has(dialect))) {
    try {
      const { value: raw, dropped } = collectDropped(() => DIALECT_CODECS[to].writeAsk(ask, aim))
      if (best === undefined || dropped.length < best.dropped.length) best = { to, raw, dropped }
      if (dropped.length === 0) break
    } catch (error) {
      if (!(error instanceof UntranslatableError)) throw error
      reason ??= error
    }
  }
  if (best === undefined) throw reason
  return { to: best.to, body: Buffer.from(JSON.stringify(best.raw)), ask, dropped: [...new Set([...read.dropped, ...best.dropped])] }
}

interface AnswerPart {
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  text: string
  readonly id: string
  readonly name: string
  args: string
  seal: Seal | undefined
  readonly logprobs: Logprob[]
  readonly ofText?: boolean | undefined
}
interface GatheredVariant {
  readonly parts: AnswerPart[]
  stop: AnswerVariant['stop']
  sequence: string | undefined
}

/** Collects complete answers from their events. */
export function gatherAnswer(events: readonly AnswerEvent[]): NeutralAnswer {
  const variants: GatheredVariant[] = [{ parts: [], stop: 'end', sequence: undefined }]
  let usage: NeutralAnswer['usage']
  let at = 0
  for (const said of events) {
    if (said.kind === 'choice') {
      at = said.index
      while (variants.length <= at) variants.push({ parts: [], stop: 'end', sequence: undefined })
    } else if (said.kind === 'usage') usage = said.usage
    else gatherEvent(variants[at]!, said)
  }
  return { ...variants[0]!, others: variants.slice(1), usage }
}

function gatherEvent(into: GatheredVariant, said: AnswerEvent): void {
  const { parts } = into
  const open = parts.at(-1)
  const begin = (kind: AnswerPart['kind'], more: Partial<AnswerPart>): void => {
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
