import { expect, test } from 'vitest'
import { failedReplyError, lostCallError, asSupplierError, rejectedError, parseRetryAfterSeconds } from './supplier-error.ts'
import type { SupplierError } from './supplier-error.ts'
import { planRetry, SUPPLIER_RETRY } from './supplier-retry.ts'

const now = new Date('2026-03-01T12:00:00Z')
const broken = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) })
const kindOf = (error: SupplierError) => error.kind

test('a connection that never came about is retryable, also for a write; a lost write is unknown, a lost read is not', () => {
  expect(kindOf(lostCallError(broken('ECONNREFUSED'), { writes: true }))).toBe('retryable')
  expect(kindOf(lostCallError(broken('ENOTFOUND'), { writes: true }))).toBe('retryable')
  expect(kindOf(lostCallError(Object.assign(new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED' })]), {}), { writes: true }))).toBe(
    'retryable',
  )
  expect(kindOf(lostCallError(broken('ECONNRESET'), { writes: true }))).toBe('unknown')
  expect(kindOf(lostCallError(broken('UND_ERR_SOCKET'), { writes: true }))).toBe('unknown')
  expect(kindOf(lostCallError(new DOMException('', 'TimeoutError'), { writes: true, timedOut: true }))).toBe('unknown')
  expect(kindOf(lostCallError(broken('ECONNRESET'), { writes: false }))).toBe('retryable')
})

test.each([
  [{ status: 422, refused: 'address', said: 'bad_address' }, 'rejected', 'address'],
  [{ status: 429 }, 'retryable', 'too_many'],
  [{ status: 401 }, 'retryable', 'our_account'],
  [{ status: 500 }, 'unknown', 'supplier_fault'],
  [{ status: 503 }, 'unknown', 'supplier_fault'],
  [{ status: 409 }, 'unknown', 'unexpected_refusal'],
  [{ status: 400 }, 'unknown', 'unexpected_refusal'],
  [{ status: 200 }, 'unknown', 'unreadable'],
  [{ status: 302 }, 'unknown', 'unreadable'],
] as const)('a write answered by %o is %s', (reply, kind, reason) => {
  const { kind: found, reason: why } = failedReplyError({ ...reply, writes: true })
  expect([found, why]).toEqual([kind, reason])
})

test('a read is never unknown', () => {
  for (const status of [200, 302, 400, 404, 409, 500, 503]) expect(failedReplyError({ status, writes: false }).kind).toBe('retryable')
})

test('Retry-After is heeded as seconds and as a date', () => {
  expect(failedReplyError({ status: 429, writes: true, retryAfter: '30' }).retryAfterSeconds).toBe(30)
  expect(parseRetryAfterSeconds('Sun, 01 Mar 2026 12:01:30 GMT', now)).toBe(90)
  expect(parseRetryAfterSeconds('Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0)
  expect(parseRetryAfterSeconds('soon', now)).toBeUndefined()
  expect(parseRetryAfterSeconds('', now)).toBeUndefined()
})

test('an error of any other class is unknown, and keeps a supplier error as it is', () => {
  expect(asSupplierError(new SyntaxError('bad JSON')).kind).toBe('unknown')
  expect(asSupplierError('text').kind).toBe('unknown')
  const no = rejectedError('name', 'NAME_MISMATCH')
  expect(asSupplierError(no)).toBe(no)
  expect(no.message).toBe('rejected: name (NAME_MISMATCH)')
})

const plan = (kind: 'retryable' | 'unknown', tries: number, { hours, more = {} }: { readonly hours: number; readonly more?: {} }) =>
  planRetry({ kind, tries, since: new Date(now.getTime() - hours * 3_600_000), now, ...more })

test('pauses double up to their cap, never beyond the end, never below the wish of the supplier', () => {
  expect([1, 2, 3, 10, 99].map((tries) => plan('retryable', tries, { hours: 0 }).seconds)).toEqual([
    2,
    4,
    8,
    SUPPLIER_RETRY.capSeconds,
    SUPPLIER_RETRY.capSeconds,
  ])
  expect(plan('unknown', 99, { hours: 0 }).seconds).toBe(SUPPLIER_RETRY.askCapSeconds)
  expect(plan('retryable', 1, { hours: 0, more: { retryAfterSeconds: 45 } }).seconds).toBe(45)
  expect(plan('unknown', 99, { hours: 23.9 }).seconds).toBe(360)
})

test('after 24 hours, or the final time of the supplier, tries end and questions become a work item', () => {
  expect(plan('retryable', 5, { hours: 23 })).toMatchObject({ isOver: false, needsOperator: false })
  expect(plan('retryable', 5, { hours: 24 })).toMatchObject({ isOver: true, needsOperator: false })
  expect(plan('unknown', 5, { hours: 23 })).toMatchObject({ isOver: false, needsOperator: false })
  expect(plan('unknown', 5, { hours: 24 })).toMatchObject({ isOver: false, needsOperator: true })
  expect(plan('unknown', 5, { hours: 1, more: { finalAt: now } })).toMatchObject({ needsOperator: true })
  expect(plan('unknown', 5, { hours: 30, more: { finalAt: new Date(now.getTime() + 1000) } })).toMatchObject({ needsOperator: false })
})
