import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { syncCard } from '../lifecycle/sync-card.ts'
import { convergeDispute } from '../disputes/converge-dispute.ts'
import { backoffSeconds } from '../backoff.ts'
import { issuerNamed } from '../issuers.ts'
import type { Issuer } from '../vendors/port.ts'
import { bookTransaction } from '../authorisations/book-transaction.ts'
import { converge } from '../authorisations/converge.ts'
import { takeChallenge } from './challenges.ts'
import { noticeDone, noticeLater } from './data-notices.ts'
import type { NoticeRow } from './data-notices.ts'

/** A card that is not ours by then never will be. */
const GIVE_UP = 60

/** Queries the issuer about the object of a notice and applies the answer. Never throws: a failure is rescheduled. */
export async function workNotice(deps: Deps, row: NoticeRow): Promise<void> {
  const issuer = issuerNamed(deps, row.issuer)
  if (!issuer) return void countEvent('cards.issuer_gone')
  try {
    const outcome = await work(deps, issuer, row)
    if (outcome === 'done') return await noticeDone(deps.db, row.issuer, row.event_id)
    countEvent('cards.unknown_card')
    if (row.checks < GIVE_UP) return await noticeLater(deps.db, row.issuer, row.event_id, backoffSeconds(row.checks))
    deps.log.error({ issuer: row.issuer, kind: row.kind, ref: row.ref }, 'an issuer’s notice is about a card that is not ours')
    await noticeDone(deps.db, row.issuer, row.event_id)
  } catch (error) {
    countEvent('cards.notice_failed')
    deps.log.warn({ err: error, kind: row.kind, ref: row.ref }, 'an issuer’s notice could not be worked through yet')
    await noticeLater(deps.db, row.issuer, row.event_id, backoffSeconds(row.checks)).catch(() => undefined)
  }
}

function work(deps: Deps, issuer: Issuer, { kind, ref, card_ref: cardRef }: NoticeRow): Promise<'done' | 'unknown_card'> {
  if (kind === 'authorization') return converge(deps, issuer, ref)
  if (kind === 'transaction') return bookTransaction(deps, issuer, ref)
  if (kind === 'dispute') return convergeDispute(deps, issuer, ref)
  return kind === 'challenge' ? takeChallenge(deps, issuer, ref, cardRef) : syncCard(deps, issuer, cardRef)
}
