import type { Call } from '../call.ts'
import type { Refused } from '../errors.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { Attempt } from '../attempt.ts'
import { isProblem } from '../dialects/dialect.ts'
import type { Facts } from '../dialects/dialect.ts'
import { eventJson, jsonStart } from '../dialects/sse.ts'
import { estimateBytes } from '../estimate.ts'
import { causeOfStatus } from '../errors.ts'
import { asksForEvents } from '../head.ts'
import { finish, idHeaders, refuse } from '../reply.ts'
import { parseRange } from '../scan.ts'
import { isRaw } from '../usage.ts'
import type { Model } from '../deps.ts'
import { Unexpressible } from './form.ts'
import type { AnswerHead, Heard, Said, Spoken, StreamReader, StreamWriter } from './form.ts'
import { obj, str } from './reading.ts'
import { EARS, TONGUES, gathered, translateAsk } from './index.ts'

/** A call whose caller and upstream speak differently. From here on it is a plain call of the upstream's dialect. */
export interface Translation {
  readonly from: Heard
  readonly to: Spoken
  readonly method: string
  readonly query: string
  readonly headers: readonly string[]
  readonly head: AnswerHead
  /** The caller asked for the usage chunk of its own dialect. */
  readonly usage: boolean
  /** At most one call in the answer, which the upstream could not be told. */
  readonly oneCall: boolean
}

/** A stream on its way through a translation. */
export interface Translator {
  /** What the caller is to see of one upstream event, '' for nothing. */
  event(event: Buffer): string
  end(): string
  fail(message: string): string
  /** The vendor's own words, when it broke off with an error event. */
  readonly error: string
}

const NONSENSE = "The model's provider sent something that is no part of an answer."

/** Makes the call one of the upstream's dialect; a refusal where something cannot be said in it. */
export function translate(call: Call, model: Model, from: Heard, asked: string): Refused | undefined {
  const facts = call.facts!
  const most = model.maxOutputTokens ?? call.deps.limits.defaultOutputTokens
  let body: unknown
  try {
    body = JSON.parse(call.body.toString('utf8', call.body[0] === 0xef ? 3 : 0))
  } catch {
    return { cause: 'bad_json', message: 'The request body is not valid JSON.' }
  }
  try {
    const asking = translateAsk(model, from, obj(body), facts.stream, most)
    const rules = DIALECTS[asking.to]
    const dial = TONGUES[asking.to].dial(facts.stream)
    const written = rules.readFacts(asking.body, model.id, dial.method)
    if (isProblem(written)) return { cause: 'bad_field', message: written.message, field: written.field }
    call.translation = {
      from,
      to: asking.to,
      ...dial,
      head: {
        id: call.key24,
        model: asked,
        created: Math.floor(call.startedAt / 1_000),
        spaces: asking.ask.spaces,
        inputTokens: from === 'anthropic-messages' && facts.stream ? estimateBytes(asking.body) : 0,
      },
      usage: facts.usageAsked,
      oneCall: asking.ask.parallel === false && TONGUES[asking.to].callsSideBySide === true,
    }
    call.rules = rules
    call.body = asking.body
    // A cap that only the vendor demands is no wish of the caller's: set aside is what any call without one sets aside.
    call.facts = asking.ask.maxTokens === undefined ? withoutCap(written) : written
    call.strip = false
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return { cause: 'bad_json', message: 'The request body is nested too deeply.' }
    if (!(error instanceof Unexpressible)) throw error
    return { cause: 'cannot_translate', message: error.message, field: error.field }
  }
}

function withoutCap(facts: Facts): Facts {
  return { ...facts, outputCap: undefined }
}

/** Counting is free and local where the model's vendor counts in another dialect: an estimate by the rule in estimate.ts. */
export function answerCount(call: Call): void {
  const tokens = estimateBytes(call.body)
  const body = JSON.stringify(call.surface === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens })
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body))]
  idHeaders(call, headers)
  call.status = 200
  finish(call, 200, headers, body)
}

/** The whole answer in the caller's dialect; undefined when the upstream's makes no sense. */
export function translateAnswer(translation: Translation, body: Buffer): Buffer | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  if (!isRaw(value)) return undefined
  const said = TONGUES[translation.to].readAnswer(value)
  if (said.some((one) => one.kind === 'error')) return undefined
  try {
    const kept = translation.oneCall ? said.filter(firstCall()) : said
    return Buffer.from(JSON.stringify(EARS[translation.from].writeAnswer(gathered(kept), translation.head)))
  } catch {
    return undefined
  }
}

/** Lets one call pass, and all that is no call. */
function firstCall(): (said: Said) => boolean {
  let calls = 0
  return (said) => {
    if (said.kind === 'choice') calls = 0
    if (said.kind === 'call') calls++
    return calls < 2 || (said.kind !== 'call' && said.kind !== 'args')
  }
}

export function openTranslator(call: Call, translation: Translation): Translator {
  const reader: StreamReader = TONGUES[translation.to].streamReader()
  const sse = call.surface !== 'gemini' || asksForEvents(call.routed.query)
  const writer: StreamWriter = EARS[translation.from].streamWriter(translation.head, { usage: translation.usage, sse })
  const isKept = translation.oneCall ? firstCall() : undefined
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
          else if (isKept === undefined || isKept(said)) out += writer.said(said)
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
