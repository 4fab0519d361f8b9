import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Attempt } from '../attempt.ts'
import type { FailedTry } from '../deps.ts'
import type { DialectRules } from '../dialects/dialect.ts'
import { createMeter } from '../call.ts'
import type { GatewayCall } from '../call.ts'
import { chooseNextRoute } from '../choice/choose.ts'
import type { ApiErrorCause } from '../errors.ts'
import { sendWholeAnswer, writeIdHeaders, sendCallRefusal } from '../reply/reply.ts'
import { parseRetryAfter, classifyStatus, recordUpstreamFailure, recordUpstreamSuccess } from '../choice/breakers.ts'
import { JSON_TYPE, copyResponseHeaders } from './response-headers.ts'
import { parseRange, scanObject, skipSpace } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { isBillOwed } from '../settlement/owed.ts'
import { settle } from '../settlement/settle.ts'
import { settleUncharged } from '../settlement/uncharged.ts'
import { refuseTranslated, translateAnswer } from '../translate/call.ts'
import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'
import { isOutOfCredit, buildVisibleError, redactAccount } from './vendor-errors.ts'

export const UNANSWERED_MESSAGE =
  "The model's provider has not answered in time and may bill this call all the same. You pay what it reports, at most what was set aside. Ask for a stream, or for less."
const SETTLE_FAILED_MESSAGE = 'The answer could not be accounted for and was withheld. Try again shortly.'

/** Handles a complete answer with a success status: holds it until the settlement is durable, then sends it unchanged. */
export function finishWholeAnswer(attempt: Attempt, raw: Buffer): void {
  decompressAnswer(attempt, raw, (body) => finishPlainAnswer(attempt, body))
}

function finishPlainAnswer(attempt: Attempt, body: Buffer | undefined): void {
  const { call } = attempt
  const members = body === undefined ? undefined : readAnswerMembers(body, call.rules!)
  if (body === undefined || members === undefined) {
    call.deps.log.error({ upstream: attempt.route.upstream.id, requestId: call.requestId }, 'upstream answered nonsense')
    finishFailedAttempt(attempt, 'upstream_failed')
    return
  }
  const said = isFailure(body, members) ? redactAccount(body) : body
  if (call.translation === undefined) {
    deliver(attempt, body, members, said)
    return
  }
  const shown = call.facts!.stream ? undefined : translateAnswer(call.translation, said)
  if (!(shown instanceof Promise)) {
    deliver(attempt, body, members, shown)
    return
  }
  shown.then(
    (answer) => deliver(attempt, body, members, answer),
    (error: unknown) => {
      call.deps.log.error({ error, requestId: call.requestId }, 'answer not translated')
      deliver(attempt, body, members, undefined)
    },
  )
}

/** Settles, then sends the visible part of a complete answer; undefined if the caller's dialect cannot express it. */
function deliver(attempt: Attempt, body: Buffer, members: readonly JsonMember[], shown: Buffer | undefined): void {
  const { call } = attempt
  if (shown === undefined) {
    call.deps.log.error({ upstream: attempt.route.upstream.id, requestId: call.requestId }, 'upstream answer cannot be translated')
    finishFailedAttempt(attempt, 'upstream_failed')
    return
  }
  recordUpstreamSuccess(call.breakers, attempt.route)
  call.status = attempt.status
  call.firstByteAt = Date.now()
  const headers: string[] = []
  copyResponseHeaders(attempt, headers)
  if (call.translation !== undefined) headers.push('content-type', JSON_TYPE)
  headers.push('content-length', String(shown.length))
  writeIdHeaders(call, headers)
  const usage = readUsageMember(body, members, call.rules!.usageKey)
  call.meter.beside = call.rules!.besideOf?.(body, members)
  const failed = usage === undefined && isFailure(body, members)
  settle(call, failed ? 'failed' : 'complete', usage, failed ? undefined : body).then(
    () => sendWholeAnswer(call, attempt.status, headers, shown),
    (error: unknown) => refuseUnsettled(call, error),
  )
}

export function refuseUnsettled(call: GatewayCall, error: unknown): void {
  call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed')
  sendCallRefusal(call, { cause: 'unavailable', message: SETTLE_FAILED_MESSAGE }, '1')
}

/** Members of an answer that hold its usage and status; undefined if it is no complete object. */
function readAnswerMembers(body: Buffer, rules: DialectRules): JsonMember[] | undefined {
  const found: JsonMember[] = []
  const end = scanObject(body, 0, body.length, listWantedMembers(rules), found)
  return end > 0 && skipSpace(body, end, body.length) === body.length ? found : undefined
}

const wantedByRules = new Map<DialectRules, readonly string[]>()

/** Builds the list of names once per dialect. */
function listWantedMembers(rules: DialectRules): readonly string[] {
  const known = wantedByRules.get(rules)
  if (known !== undefined) return known
  const names = [rules.usageKey, 'status', ...(rules.besideKeys ?? [])]
  wantedByRules.set(rules, names)
  return names
}

function readUsageMember(body: Buffer, members: readonly JsonMember[], key: string): Raw | undefined {
  const range = members.findLast((member) => member.key === key)
  const value = range === undefined ? undefined : parseRange(body, range)
  return isRaw(value) ? value : undefined
}

/** A Responses answer with status `failed` has a successful HTTP status. */
function isFailure(body: Buffer, members: readonly JsonMember[]): boolean {
  const status = members.findLast((member) => member.key === 'status')
  return status !== undefined && body.toString('latin1', status.start, status.end) === '"failed"'
}

type Decompressor = (body: Buffer, options: { maxOutputLength: number }, done: (error: Error | null, plain: Buffer) => void) => void
const DECOMPRESSORS: ReadonlyMap<string, Decompressor> = new Map<string, Decompressor>([
  ['gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
])
const MAX_DECOMPRESSED_BYTES = 256 * 1024 * 1024

/**
 * Decompresses an answer off the event loop, up to a size limit; undefined if that fails. We ask for plain bytes, but some upstreams
 * compress anyway.
 */
function decompressAnswer(attempt: Attempt, body: Buffer, read: (plain: Buffer | undefined) => void): void {
  const encoding = String(attempt.headers['content-encoding'] ?? 'identity')
  if (encoding === 'identity') return read(body)
  const open = DECOMPRESSORS.get(encoding)
  if (open === undefined) return read(undefined)
  open(body, { maxOutputLength: MAX_DECOMPRESSED_BYTES }, (error, plain) => read(error ? undefined : plain))
}

/**
 * Handles a refusal by the upstream: tries another route if there is one, else passes on the vendor's error if it concerns the customer.
 */
export function finishErrorAnswer(attempt: Attempt, raw: Buffer): void {
  decompressAnswer(attempt, raw, (body) => finishPlainError(attempt, body))
}

function finishPlainError(attempt: Attempt, body: Buffer | undefined): void {
  const { call, status } = attempt
  const ours = status === 401 || status === 402 || status === 403
  if (ours) call.deps.log.error({ upstream: attempt.route.upstream.id, status, requestId: call.requestId }, 'upstream refuses our account')
  const kind = status === 429 && isOutOfCredit(body) ? 'credential' : classifyStatus(status)
  if (kind === undefined) recordUpstreamSuccess(call.breakers, attempt.route)
  else recordUpstreamFailure(call.breakers, attempt.route, kind, parseRetryAfter(attempt.headers))
  if (kind !== undefined) {
    recordFailedTry(attempt, 'refused')
    if (failOver(attempt)) return
  }
  const after = attempt.headers['retry-after']
  const retryAfter = typeof after === 'string' ? after : undefined
  const shown = buildVisibleError(call, status, body)
  const answer = (): void => {
    const headers: string[] = []
    copyResponseHeaders(attempt, headers)
    if ('cause' in shown) {
      sendCallRefusal(call, shown, retryAfter)
      return
    }
    if (call.translation !== undefined || call.rules!.foreignError !== undefined) {
      refuseTranslated(call, attempt, shown.body, retryAfter)
      return
    }
    headers.push('content-length', String(shown.body.length))
    writeIdHeaders(call, headers)
    call.status = status
    sendWholeAnswer(call, status, headers, shown.body)
  }
  call.status = status
  settleUncharged(call, answer)
}

/** Handles an attempt without a usable answer: connection error, timeout or malformed data. */
export function finishFailedAttempt(attempt: Attempt, cause: ApiErrorCause): void {
  const { call } = attempt
  if (!attempt.isLate) recordUpstreamFailure(call.breakers, attempt.route, attempt.timedOut ? 'timeout' : 'connection', undefined)
  recordFailedTry(attempt, attempt.timedOut ? 'timeout' : 'connection')
  if (isBillOwed(attempt)) {
    call.status = 504
    settle(call, 'limit', call.rules!.stream?.rawUsage(call.meter), undefined).then(
      () => sendCallRefusal(call, { cause: 'upstream_unanswered', message: UNANSWERED_MESSAGE }),
      (error: unknown) => refuseUnsettled(call, error),
    )
    return
  }
  if (failOver(attempt)) return
  call.status = cause === 'upstream_timeout' ? 504 : 502
  settleUncharged(call, () =>
    sendCallRefusal(call, {
      cause,
      message:
        cause === 'upstream_timeout'
          ? "The model's provider took too long. Nothing was charged."
          : "The model's provider did not answer. Try again shortly; nothing was charged.",
    }),
  )
}

/** Records a failed attempt for the call's row: the upstream and the time spent on it. */
function recordFailedTry({ call, route, status, at }: Attempt, cause: FailedTry['cause']): void {
  const failed: FailedTry = { upstream: route.upstream.id, status, cause, from: at - call.startedAt, ms: Date.now() - at }
  if (call.failed === undefined) call.failed = [failed]
  else call.failed.push(failed)
}

/** Dials a route not yet tried, as long as the client is connected and has received nothing. */
export function failOver(attempt: Attempt): boolean {
  const { call } = attempt
  if (call.sent || call.gone) return false
  const route = chooseNextRoute(call)
  if (route === undefined) return false
  call.meter = createMeter()
  attempt.sink.dial(call, route)
  return true
}
