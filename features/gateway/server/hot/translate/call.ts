import type { GatewayCall } from '../call.ts'
import type { RequestRefusal } from '../errors.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { Attempt } from '../attempt.ts'
import { parseEventJson, findJsonStart } from '../dialects/sse.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { mapStatusToCause } from '../errors.ts'
import { requestsEvents } from '../http/query.ts'
import { sendCallRefusal, sendJson } from '../reply/reply.ts'
import { isRaw } from '../usage/usage.ts'
import type { GatewayModel } from '../deps.ts'
import { SMALL_BODY_BYTES, MAX_TRANSLATED_BYTES, needsSlices } from '../body/bounds.ts'
import { noteBodyInTurns } from '../body/slices.ts'
import { WorkerBusyError } from '../worker/worker.ts'
import { translateAnswerBody } from './answer.ts'
import { translateOnWorker } from './thread/on-worker.ts'
import { translateRequestBody } from './request.ts'
import type { TranslatedRequest } from './request.ts'
import type { CallerDialect, StreamReader, StreamWriter } from './form.ts'
import { toObjectOrEmpty, toTextOrEmpty } from './reading.ts'
import { CALLER_CODECS, DIALECT_CODECS } from './index.ts'
import { createAnswerFilter } from './answer-constraints.ts'
import type { Translation } from './translation.ts'

/** A stream in translation. */
export interface Translator {
  /** One upstream event in the caller's dialect; empty for none. */
  event(event: Buffer): string
  end(): string
  fail(message: string): string
  /** The vendor's error message, if it ended with an error event. */
  readonly error: string
}

const INVALID_ANSWER_MESSAGE = "The model's provider sent something that is no part of an answer."

/** Converts the call to the upstream's dialect; returns a refusal if a part has no equivalent. The worker converts large bodies. */
export async function translateCall(call: GatewayCall, model: GatewayModel, from: CallerDialect, asked: string): Promise<RequestRefusal | undefined> {
  const { body } = call
  if (body.length > MAX_TRANSLATED_BYTES) {
    return {
      cause: 'too_large',
      message: `The model \`${asked}\` speaks another dialect, and bodies above ${MAX_TRANSLATED_BYTES} bytes are not translated. Send less, or use the model's own route.`,
    }
  }
  const most = model.maxOutputTokens ?? call.deps.limits.defaultOutputTokens
  const aim = { id: model.id, traits: model.traits, dialects: model.dialects }
  const { stream, usageAsked } = call.facts!
  let asking: TranslatedRequest | RequestRefusal
  try {
    asking =
      body.length > SMALL_BODY_BYTES
        ? await translateOnWorker(call.apiKey!.accountId, { kind: 'ask', model: aim, from, body, stream, most })
        : translateRequestBody(aim, from, body, stream, most)
  } catch (error) {
    return buildWorkerRefusal(call, error)
  }
  if ('cause' in asking) return asking
  if (needsSlices(asking.body)) await noteBodyInTurns(asking.body)
  call.translation = {
    from,
    to: asking.to,
    ...DIALECT_CODECS[asking.to].dial(stream),
    head: {
      id: call.key24,
      model: asked,
      created: Math.floor(call.startedAt / 1_000),
      spaces: asking.spaces,
      hidesThinking: asking.hidesThinking,
      functions: asking.functions,
      inputTokens: asking.inputTokens,
    },
    usage: usageAsked,
    keeping: asking.keeping,
    dropped: asking.dropped,
  }
  call.rules = DIALECTS[asking.to]
  call.body = asking.body
  call.facts = asking.facts
  call.strip = false
  return undefined
}

function buildWorkerRefusal(call: GatewayCall, error: unknown): RequestRefusal {
  if (error instanceof WorkerBusyError)
    return error.isOwn
      ? { cause: 'too_many_at_once', message: 'Too many of your large requests wait to be translated. Wait for one of them to end.' }
      : { cause: 'unavailable', message: 'Too many large requests wait to be translated here at the moment. Try again shortly.' }
  call.deps.log.error({ error, requestId: call.requestId }, 'translation failed')
  return { cause: 'unavailable', message: 'The request could not be translated for this model; it is logged under this request id.' }
}

/** Counting is free, and local if the model's vendor counts in another dialect: an estimate by the rule in usage/estimate.ts. */
export function answerTokenCount(call: GatewayCall): void {
  const tokens = estimateBytes(call.body)
  sendJson(call, call.surface === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens })
}

/** Translates a complete answer, a large one on the worker; undefined if the upstream's is invalid. */
export function translateAnswer({ from, to, head, keeping }: Translation, body: Buffer): Buffer | undefined | Promise<Buffer | undefined> {
  const plan = { from, to, head, keeping }
  return body.length > SMALL_BODY_BYTES ? translateOnWorker(undefined, { kind: 'answer', plan, body: Buffer.from(body) }) : translateAnswerBody(plan, body)
}

export function openTranslator(call: GatewayCall, translation: Translation): Translator {
  const reader: StreamReader = DIALECT_CODECS[translation.to].streamReader()
  const sse = call.surface !== 'gemini' || requestsEvents(call.located.query)
  const writer: StreamWriter = CALLER_CODECS[translation.from].streamWriter(translation.head, { usage: translation.usage, sse })
  const shape = createAnswerFilter(translation.keeping)
  let problem = ''
  return {
    event(event) {
      const json = parseEventJson(event)
      if (json === undefined) {
        // Comments and end marks contain no object; a malformed one would leave a gap in the answer.
        if (findJsonStart(event) >= 0) problem = INVALID_ANSWER_MESSAGE
        return ''
      }
      let out = ''
      try {
        for (const said of reader(json)) {
          if (said.kind === 'error') problem = said.message || INVALID_ANSWER_MESSAGE
          else if (shape === undefined) out += writer.said(said)
          else for (const kept of shape(said)) out += writer.said(kept)
        }
      } catch {
        // Maximum nesting that JSON writers can handle.
        problem = INVALID_ANSWER_MESSAGE
      }
      return out
    },
    end: () => writer.end(),
    fail: (message) => writer.fail(message),
    get error() {
      return problem
    },
  }
}

/** An upstream's refusal in the caller's format, with the vendor's message. */
export function refuseTranslated(call: GatewayCall, attempt: Attempt, body: Buffer, retryAfter: string | undefined): void {
  const { status } = attempt
  const error = call.rules!.foreignError?.(body) ?? parseErrorMessage(body)
  const cause =
    status === 404 ? 'no_model' : status === 413 ? 'too_large' : status < 500 && status !== 429 && status !== 408 ? 'bad_request' : mapStatusToCause(status)
  sendCallRefusal(call, { cause, message: error === '' ? `The model's provider refused this request (${status}).` : error }, retryAfter)
}

function parseErrorMessage(body: Buffer): string {
  try {
    const value: unknown = JSON.parse(body.toString())
    const top: unknown = Array.isArray(value) ? value[0] : value
    return isRaw(top) ? toTextOrEmpty(toObjectOrEmpty(top['error'])['message']) : ''
  } catch {
    return ''
  }
}
