import type { Call } from '../call.ts'
import type { Refused } from '../errors.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { Attempt } from '../attempt.ts'
import { eventJson, jsonStart } from '../dialects/sse.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { causeOfStatus } from '../errors.ts'
import { asksForEvents } from '../http/query.ts'
import { refuse, sendJson } from '../reply/reply.ts'
import { isRaw } from '../usage/usage.ts'
import type { Model } from '../deps.ts'
import { SMALL_BYTES, TRANSLATED_BYTES, needsTurns } from '../body/bounds.ts'
import { noteWhole } from '../body/slices.ts'
import { Busy } from '../worker/worker.ts'
import { answerOf } from './answer.ts'
import { onWorker } from './thread/on-worker.ts'
import { askedOf } from './ask.ts'
import type { Asked } from './ask.ts'
import type { Heard, StreamReader, StreamWriter } from './form.ts'
import { obj, str } from './reading.ts'
import { EARS, TONGUES } from './index.ts'
import { shaper } from './shaped.ts'
import type { Translation } from './translation.ts'

/** A stream on its way through a translation. */
export interface Translator {
  /** One upstream event in the caller's dialect; empty for none. */
  event(event: Buffer): string
  end(): string
  fail(message: string): string
  /** The vendor's error message, if it ended with an error event. */
  readonly error: string
}

const NONSENSE = "The model's provider sent something that is no part of an answer."

/** Makes the call one of the upstream's dialect; a refusal where something cannot be said in it. A large body is worked on by the worker. */
export async function translate(call: Call, model: Model, from: Heard, asked: string): Promise<Refused | undefined> {
  const { body } = call
  if (body.length > TRANSLATED_BYTES) {
    return {
      cause: 'too_large',
      message: `The model \`${asked}\` speaks another dialect, and bodies above ${TRANSLATED_BYTES} bytes are not translated. Send less, or use the model's own route.`,
    }
  }
  const most = model.maxOutputTokens ?? call.deps.limits.defaultOutputTokens
  const aim = { id: model.id, traits: model.traits, dialects: model.dialects }
  const { stream, usageAsked } = call.facts!
  let asking: Asked | Refused
  try {
    asking =
      body.length > SMALL_BYTES
        ? await onWorker(call.apiKey!.accountId, { kind: 'ask', model: aim, from, body, stream, most })
        : askedOf(aim, from, body, stream, most)
  } catch (error) {
    return refusedByWorker(call, error)
  }
  if ('cause' in asking) return asking
  if (needsTurns(asking.body)) await noteWhole(asking.body)
  call.translation = {
    from,
    to: asking.to,
    ...TONGUES[asking.to].dial(stream),
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

function refusedByWorker(call: Call, error: unknown): Refused {
  if (error instanceof Busy)
    return error.isOwn
      ? { cause: 'too_many_at_once', message: 'Too many of your large requests wait to be translated. Wait for one of them to end.' }
      : { cause: 'unavailable', message: 'Too many large requests wait to be translated here at the moment. Try again shortly.' }
  call.deps.log.error({ error, requestId: call.requestId }, 'translation failed')
  return { cause: 'unavailable', message: 'The request could not be translated for this model; it is logged under this request id.' }
}

/** Counting is free and local where the model's vendor counts in another dialect: an estimate by the rule in usage/estimate.ts. */
export function answerCount(call: Call): void {
  const tokens = estimateBytes(call.body)
  sendJson(call, call.surface === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens })
}

/** The whole answer in the caller's dialect, a large one by the worker; undefined when the upstream's makes no sense. */
export function translateAnswer({ from, to, head, keeping }: Translation, body: Buffer): Buffer | undefined | Promise<Buffer | undefined> {
  const plan = { from, to, head, keeping }
  return body.length > SMALL_BYTES ? onWorker(undefined, { kind: 'answer', plan, body: Buffer.from(body) }) : answerOf(plan, body)
}

export function openTranslator(call: Call, translation: Translation): Translator {
  const reader: StreamReader = TONGUES[translation.to].streamReader()
  const sse = call.surface !== 'gemini' || asksForEvents(call.located.query)
  const writer: StreamWriter = EARS[translation.from].streamWriter(translation.head, { usage: translation.usage, sse })
  const shape = shaper(translation.keeping)
  let problem = ''
  return {
    event(event) {
      const json = eventJson(event)
      if (json === undefined) {
        // Comments and end marks hold no object; a broken one would leave a hole in the answer.
        if (jsonStart(event) >= 0) problem = NONSENSE
        return ''
      }
      let out = ''
      try {
        for (const said of reader(json)) {
          if (said.kind === 'error') problem = said.message || NONSENSE
          else if (shape === undefined) out += writer.said(said)
          else for (const kept of shape(said)) out += writer.said(kept)
        }
      } catch {
        // Nesting that no JSON writer bears.
        problem = NONSENSE
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

/** An upstream's refusal in the caller's shape, in the vendor's own words. */
export function refuseTranslated(call: Call, attempt: Attempt, body: Buffer, retryAfter: string | undefined): void {
  const { status } = attempt
  const error = call.rules!.foreignError?.(body) ?? messageOf(body)
  const cause =
    status === 404 ? 'no_model' : status === 413 ? 'too_large' : status < 500 && status !== 429 && status !== 408 ? 'bad_request' : causeOfStatus(status)
  refuse(call, { cause, message: error === '' ? `The model's provider refused this request (${status}).` : error }, retryAfter)
}

function messageOf(body: Buffer): string {
  try {
    const value: unknown = JSON.parse(body.toString())
    const top: unknown = Array.isArray(value) ? value[0] : value
    return isRaw(top) ? str(obj(top['error'])['message']) : ''
  } catch {
    return ''
  }
}
