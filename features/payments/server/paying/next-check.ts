import { PAID, PAYABLE } from '../../words.ts'
import type { OrderRow } from '../data.ts'

const WATCHED_SECONDS = 20
const LONGEST_SECONDS = 240
const FIRST_SECONDS = 10
const DAY_SECONDS = 86_400

/**
 * Time of the reconciler's next query (I11, W8): within a minute while a client polls, within five otherwise, and for a day after
 * the end, because a late payment is possible. Null once the state is final.
 */
export function computeNextOrderCheck(order: OrderRow, hasTrades: boolean): Date | null {
  const now = order.now.getTime()
  const after = (seconds: number) => new Date(now + seconds * 1000)
  const sinceEnd = (now - order.expiresAt.getTime()) / 1000
  if (PAYABLE.includes(order.state)) {
    if (!hasTrades) return order.expiresAt
    const watched = order.seenAt !== null && now - order.seenAt.getTime() < 60_000
    const patience = Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** Math.min(order.checks, 6))
    const wanted = after(watched ? Math.min(WATCHED_SECONDS, patience) : patience)
    return sinceEnd < -1 ? new Date(Math.min(wanted.getTime(), order.expiresAt.getTime())) : wanted
  }
  // A ruling by the payer's bank takes weeks; its notice arrives sooner.
  if (order.state === 'disputed') return after(DAY_SECONDS / 4)
  if (!hasTrades || sinceEnd > DAY_SECONDS + 3600) return null
  // A second payment on a paid order: one check once its trades can no longer be paid.
  if (PAID.includes(order.state)) return sinceEnd < 60 ? after(60 - sinceEnd) : null
  return after(sinceEnd < 3600 ? LONGEST_SECONDS : 3600)
}
