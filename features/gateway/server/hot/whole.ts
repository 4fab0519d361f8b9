import { gunzipSync, inflateSync, brotliDecompressSync } from 'node:zlib'
import type { Attempt } from './attempt.ts'
import type { DialectRules } from './dialects/dialect.ts'
import type { Call } from './call.ts'
import { nextRoute } from './choose.ts'
import { causeOfStatus } from './errors.ts'
import type { Cause } from './errors.ts'
import { finish, idHeaders, refuse } from './reply.ts'
import { askedWait, kindOfStatus, noteFailure, noteWorks } from './routes/breakers.ts'
import { JSON_TYPE, passHeaders } from './response-headers.ts'
import { parseRange, scanObject, skipSpace } from './scan.ts'
import type { Member } from './scan.ts'
import { settle } from './settle.ts'
import { refuseTranslated, translateAnswer } from './translate/call.ts'
import { isRaw } from './usage.ts'
import type { Raw } from './usage.ts'

const OPEN_OBJECT = 123,
  OPEN_ARRAY = 91
const SETTLE_FAILED = 'The answer could not be accounted for and was withheld. Try again shortly.'

/** A whole answer with a good status: held until it is settled on disk, then sent as it came. */
export function endOfWhole(attempt: Attempt, raw: Buffer): void {
  const { call } = attempt
  const body = plain(attempt, raw)
  const members = body === undefined ? undefined : membersOf(body, call.rules!)
  if (body === undefined || members === undefined) {
    call.deps.log.error({ upstream: attempt.route.upstream.id, requestId: call.requestId }, 'upstream answered nonsense')
    endOfFailure(attempt, 'upstream_failed')
    return
  }
  const shown = call.translation === undefined ? body : translateAnswer(call.translation, body)
  if (shown === undefined || (call.translation !== undefined && call.facts!.stream)) {
    call.deps.log.error({ upstream: attempt.route.upstream.id, requestId: call.requestId }, 'upstream answer cannot be translated')
    endOfFailure(attempt, 'upstream_failed')
    return
  }
  noteWorks(call.breakers, attempt.route)
  call.status = attempt.status
  call.firstByteAt = Date.now()
  const headers: string[] = []
  passHeaders(attempt, headers)
  if (call.translation !== undefined) headers.push('content-type', JSON_TYPE)
  headers.push('content-length', String(shown.length))
  idHeaders(call, headers)
  const usage = usageAt(body, members, call.rules!.usageKey)
  call.meter.beside = call.rules!.besideOf?.(body, members)
  const failed = usage === undefined && isFailure(body, members)
  settle(call, failed ? 'failed' : 'complete', usage, failed ? undefined : body).then(
    () => finish(call, attempt.status, headers, shown),
    (error: unknown) => settleFailed(call, error),
  )
}

export function settleFailed(call: Call, error: unknown): void {
  call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed')
  refuse(call, { cause: 'unavailable', message: SETTLE_FAILED }, '1')
}

/** What matters of an answer, its usage and status; undefined when it is no whole object. */
function membersOf(body: Buffer, rules: DialectRules): Member[] | undefined {
  const found: Member[] = []
  const end = scanObject(body, 0, body.length, [rules.usageKey, 'status', ...(rules.besideKeys ?? [])], found)
  return end > 0 && skipSpace(body, end, body.length) === body.length ? found : undefined
}

function usageAt(body: Buffer, members: readonly Member[], key: string): Raw | undefined {
  const range = members.findLast((member) => member.key === key)
  const value = range === undefined ? undefined : parseRange(body, range)
  return isRaw(value) ? value : undefined
}

/** A Responses answer whose status is `failed` came with a good HTTP status. */
function isFailure(body: Buffer, members: readonly Member[]): boolean {
  const status = members.findLast((member) => member.key === 'status')
  return status !== undefined && body.toString('latin1', status.start, status.end) === '"failed"'
}

/** We ask for plain bytes; an upstream that compresses all the same is read, within the same bound. */
function plain(attempt: Attempt, body: Buffer): Buffer | undefined {
  const encoding = attempt.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return body
  const options = { maxOutputLength: 256 * 1024 * 1024 }
  try {
    if (encoding === 'gzip') return gunzipSync(body, options)
    if (encoding === 'deflate') return inflateSync(body, options)
    if (encoding === 'br') return brotliDecompressSync(body, options)
  } catch {
    return undefined
  }
  return undefined
}

/** The upstream refused. Another route if there is one, else its own words where they are the customer's business. */
export function endOfError(attempt: Attempt, raw: Buffer): void {
  const { call, status } = attempt
  const ours = status === 401 || status === 402 || status === 403
  if (ours) call.deps.log.error({ upstream: attempt.route.upstream.id, status, requestId: call.requestId }, 'upstream refuses our account')
  const body = plain(attempt, raw)
  const kind = status === 429 && isOutOfCredit(body) ? 'credential' : kindOfStatus(status)
  if (kind === undefined) noteWorks(call.breakers, attempt.route)
  else noteFailure(call.breakers, attempt.route, kind, askedWait(attempt.headers))
  if (kind !== undefined && failOver(attempt)) return
  const retryAfter = attempt.headers['retry-after']
  const answer = (): void => {
    const headers: string[] = []
    passHeaders(attempt, headers)
    if (ours || status < 400 || body === undefined || !isVendorError(call, body)) {
      const cause = ours || status < 400 ? 'upstream_failed' : causeOfStatus(status)
      refuse(
        call,
        { cause, message: "The model's provider could not answer this request. Try again shortly; nothing was charged." },
        typeof retryAfter === 'string' ? retryAfter : undefined,
      )
      return
    }
    const shown = withoutAccount(body)
    if (call.translation !== undefined || call.rules!.foreignError !== undefined) {
      refuseTranslated(call, attempt, shown, typeof retryAfter === 'string' ? retryAfter : undefined)
      return
    }
    headers.push('content-length', String(shown.length))
    idHeaders(call, headers)
    call.status = status
    finish(call, status, headers, shown)
  }
  call.status = status
  leaveUncharged(call, answer)
}

/** No usable answer came: connection, timeout, nonsense. */
export function endOfFailure(attempt: Attempt, cause: Cause): void {
  const { call } = attempt
  noteFailure(call.breakers, attempt.route, cause === 'upstream_timeout' ? 'timeout' : 'connection', undefined)
  if (failOver(attempt)) return
  call.status = cause === 'upstream_timeout' ? 504 : 502
  leaveUncharged(call, () =>
    refuse(call, {
      cause,
      message:
        cause === 'upstream_timeout'
          ? "The model's provider took too long. Nothing was charged."
          : "The model's provider did not answer. Try again shortly; nothing was charged.",
    }),
  )
}

/** One more dial, to a route not yet tried, as long as the client has seen nothing and is there. */
export function failOver(attempt: Attempt): boolean {
  const { call } = attempt
  if (call.sent || call.gone) return false
  const route = nextRoute(call)
  if (route === undefined) return false
  call.meter = { raw: undefined, unread: undefined, beside: undefined, final: false, ended: false, failed: false }
  attempt.sink.dial(call, route)
  return true
}

/** Gives the money back, where some was promised, and answers once the promise is written. */
export function leaveUncharged(call: Call, answer: () => void): void {
  if (call.money === 'none') {
    answer()
    return
  }
  settle(call, 'failed', undefined, undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'release failed; the sweeper will resolve the call')
  })
  call.reserving!.then(answer, () => undefined)
}

/** JSON in the vendor's shape, and about the customer's request: an account of ours without money is not. */
function isVendorError(call: Call, body: Buffer): boolean {
  const first = body[skipSpace(body, 0, body.length)]
  if (first !== OPEN_OBJECT && !(first === OPEN_ARRAY && call.rules!.surface === 'gemini')) return false
  const { foreignError } = call.rules!
  if (foreignError !== undefined) return foreignError(body) !== undefined
  return errorIn(body) !== undefined && !isOutOfCredit(body)
}

/** Our account at the vendor is empty, by the vendor's own code for that. */
function isOutOfCredit(body: Buffer | undefined): boolean {
  const error = body === undefined ? undefined : errorIn(body)
  return error !== undefined && (error['code'] === 'insufficient_quota' || error['type'] === 'insufficient_quota' || error['type'] === 'billing_error')
}

function errorIn(body: Buffer): Raw | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  const top: unknown = Array.isArray(value) ? value[0] : value
  const error = isRaw(top) ? top['error'] : undefined
  return isRaw(error) ? error : undefined
}

/** Rate-limit texts name the organisation whose limit it is: ours. */
function withoutAccount(body: Buffer): Buffer {
  const text = body.toString('latin1')
  const cleaned = text.replace(/\b(org|proj)[-_][A-Za-z0-9]{8,}/g, '$1-hidden')
  return cleaned === text ? body : Buffer.from(cleaned, 'latin1')
}
