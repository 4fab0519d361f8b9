import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { syncCard } from '../lifecycle/sync-card.ts'
import { convergeDispute } from '../disputes/converge-dispute.ts'
import { computeBackoffSeconds } from '../backoff.ts'
import { findIssuer } from '../vendors/index.ts'
import type { Issuer } from '../vendors/port.ts'
import { bookTransaction } from '../authorisations/book-transaction.ts'
import { convergeAuthorization } from '../authorisations/converge.ts'
import { receiveCardChallenge } from './challenges.ts'
import { completeCardNotice, rescheduleCardNotice } from './data-notices.ts'
import type { NoticeRow } from './data-notices.ts'

/** Checks before a notice is given up: a card still unknown by then is not ours. */
const MAX_CHECKS = 60

/** Queries the issuer about the object of a notice and applies the answer. Never throws: a failure is rescheduled. */
export async function workNotice(deps: Deps, row: NoticeRow): Promise<void> {
  const issuer = findIssuer(deps, row.issuer)
  if (!issuer) return void countEvent('cards.issuer_gone')
  try {
    const outcome = await applyNotice(deps, issuer, row)
    if (outcome === 'done') return await completeCardNotice(deps.db, row.issuer, row.eventId)
    countEvent('cards.unknown_card')
    if (row.checks < MAX_CHECKS) return await rescheduleCardNotice(deps.db, row.issuer, { eventId: row.eventId, seconds: computeBackoffSeconds(row.checks) })
    deps.log.error({ issuer: row.issuer, kind: row.kind, ref: row.ref }, 'an issuer’s notice is about a card that is not ours')
    await completeCardNotice(deps.db, row.issuer, row.eventId)
  } catch (error) {
    countEvent('cards.notice_failed')
    deps.log.warn({ err: error, kind: row.kind, ref: row.ref }, 'an issuer’s notice could not be worked through yet')
    await rescheduleCardNotice(deps.db, row.issuer, { eventId: row.eventId, seconds: computeBackoffSeconds(row.checks) }).catch(() => undefined)
  }
}

function applyNotice(deps: Deps, issuer: Issuer, { kind, ref, cardRef }: NoticeRow): Promise<'done' | 'unknown_card'> {
  if (kind === 'authorization') return convergeAuthorization(deps, issuer, ref)
  if (kind === 'transaction') return bookTransaction(deps, issuer, { ref })
  if (kind === 'dispute') return convergeDispute(deps, issuer, ref)
  return kind === 'challenge' ? receiveCardChallenge(deps, issuer, { ref, cardRef }) : syncCard(deps, issuer, cardRef)
}
