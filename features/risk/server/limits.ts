import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { decrementCounter, incrementCounter, dropCount, dropGroup, readCount, readGroup } from './data.ts'
import { hashGroup, hashSubject } from './subject.ts'
import type { CounterSubject } from './subject.ts'

export interface LimitVerdict {
  readonly allowed: boolean
  readonly count: number
  readonly retryAfterSeconds: number
}

/**
 * Counts one event of `subject` in `bucket` and returns if it is within `limit` per `windowSeconds`. Atomic: of any number of parallel
 * events, exactly `limit` are allowed. The window begins with its first event, so a refusal lasts `windowSeconds` at most and refused
 * events do not extend it; across a border up to twice the limit can pass. Run it on the pool if the count must survive a failing
 * transaction (failed logins), in the transaction if only committed effects count (codes sent). `subject` is stored as a hash. Source:
 * money.md A1, A3, A5.
 */
export async function countEventWithin(
  sql: Sql,
  bucket: string,
  {
    subject,
    limit,
    windowSeconds,
    now = new Date(),
  }: { readonly subject: CounterSubject; readonly limit: number; readonly windowSeconds: number; readonly now?: Date },
): Promise<LimitVerdict> {
  const { count, endsAt } = await incrementCounter(sql, bucket, { subject: hashSubject(subject), now, windowSeconds })
  const seconds = Math.min(windowSeconds, Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)))
  return { allowed: count <= limit, count, retryAfterSeconds: seconds }
}

/** Like `allow`, but throws TOO_MANY with `retryAfterSeconds`. */
export async function requireAllowed(
  sql: Sql,
  bucket: string,
  { subject, limit, windowSeconds, now }: { readonly subject: CounterSubject; readonly limit: number; readonly windowSeconds: number; readonly now?: Date },
): Promise<void> {
  const verdict = await countEventWithin(sql, bucket, { subject, limit, windowSeconds, now })
  if (!verdict.allowed) fail('TOO_MANY', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/** Refunds one counted event after a successful attempt. Never goes below zero. */
export async function uncountEvent(sql: Sql, bucket: string, subject: CounterSubject): Promise<void> {
  await decrementCounter(sql, bucket, hashSubject(subject))
}

/** Reads a counter without counting. */
export async function readCurrentCount(sql: Sql, bucket: string, { subject, now }: { readonly subject: string; readonly now: Date }): Promise<number> {
  return readCount(sql, bucket, { subject: hashSubject(subject), now })
}

/** Resets a counter after an operator's review. */
export async function clearCount(sql: Sql, bucket: string, subject: string): Promise<void> {
  await dropCount(sql, bucket, hashSubject(subject))
}

/** Current number of events in all counters of a group. */
export async function countGroup(sql: Sql, bucket: string, { group, now }: { readonly group: string; readonly now: Date }): Promise<number> {
  return readGroup(sql, bucket, { group: hashGroup(group), now })
}

/** Resets all counters of a group. */
export async function clearGroup(sql: Sql, bucket: string, group: string): Promise<void> {
  await dropGroup(sql, bucket, hashGroup(group))
}
