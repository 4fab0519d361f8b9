import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { readEvidence } from '#features/identity/server/door.ts'
import { selectTransactionById } from '../authorisations/data-transactions.ts'
import { nanoToCents } from '../figures.ts'
import { insertBill } from '../bills/data.ts'
import { lockCard } from '../cards/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { bookDispute, readNetCardBalance } from '../money/bookings.ts'
import { sweepClosed } from '../money/sweep.ts'
import { IssuerRefusal } from '../vendors/port.ts'
import type { Issuer, IssuerDispute } from '../vendors/port.ts'
import { changeDispute, selectDisputeByRef, lockDispute, takeDueDisputes } from './data.ts'
import type { Dispute, DisputeState } from './data.ts'

const BATCH = 10

/** Job: submits waiting disputes, and queries those without news. */
export async function workDisputes(deps: Deps): Promise<void> {
  for (const dispute of await takeDueDisputes(deps.db, BATCH)) {
    await workDispute(deps, dispute).catch((error: unknown) => deps.log.warn({ err: error, disputeId: dispute.id }, 'a dispute could not be moved on'))
  }
}

export async function workDispute(deps: Deps, dispute: Dispute): Promise<void> {
  const booked = (await selectTransactionById(deps.db, dispute.transactionId))!
  const issuer = findIssuer(deps, booked.issuer)
  if (!issuer) return
  if (dispute.issuerRef !== null) return void (await convergeDispute(deps, issuer, dispute.issuerRef))
  const file = dispute.filePath === null ? undefined : await readEvidence(deps, dispute.userId, dispute.filePath)
  crashPoint('cards.dispute-before-call')
  let fact: IssuerDispute | undefined
  try {
    const { id: key, reason, words } = dispute
    fact = await issuer.openDispute({ key, transactionRef: booked.ref, minor: nanoToCents(dispute.amount), reason, words, ...(file ? { file } : {}) })
  } catch (error) {
    if (!(error instanceof IssuerRefusal)) throw error
    deps.log.info({ disputeId: dispute.id, why: error.refused }, 'the issuer takes no dispute of this charge')
  }
  crashPoint('cards.dispute-after-call')
  await apply(deps, dispute.id, fact)
}

/** Updates a dispute to the issuer's state. */
export async function convergeDispute(deps: Deps, issuer: Issuer, ref: string): Promise<'done' | 'unknown_card'> {
  const fact = await issuer.dispute(ref)
  const dispute = await selectDisputeByRef(deps.db, issuer.name, ref)
  // The response to its submission is still pending and will name the dispute.
  if (!dispute) return 'unknown_card'
  await apply(deps, dispute.id, fact)
  return 'done'
}

const STATES: Readonly<Record<IssuerDispute['status'], DisputeState>> = {
  unsubmitted: 'draft',
  submitted: 'submitted',
  won: 'won',
  lost: 'lost',
  expired: 'expired',
}

async function apply(deps: Deps, id: string, fact: IssuerDispute | undefined): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const before = await lockDispute(tx, id)
    if (before.finishedAt !== null) return
    const state = fact ? STATES[fact.status] : 'refused'
    const finished = state !== 'draft' && state !== 'submitted'
    // Provisional credit of an open dispute stays with the issuer: if spent or withdrawn meanwhile, a lost dispute would be our loss.
    const credited = !fact?.credited ? 0n : finished ? before.amount : before.credited
    const credits = credited === before.credited ? before.credits : before.credits + 1
    if (credits !== before.credits) await settleDisputedAmount(tx, before, { credited: credited > 0n, n: credits })
    await changeDispute(tx, id, { state, credited, credits, finished, submitted: fact !== undefined, ...(fact ? { issuerRef: fact.ref } : {}) })
    await tx.audit('card.dispute', `card:${before.cardId}`, { disputeId: id, state, credited: formatUsd(credited) })
    if (state !== before.state)
      await tx.emit('card.dispute', { disputeId: id, userId: before.userId, cardId: before.cardId, state, amount: formatUsd(before.amount) })
    crashPoint('cards.dispute-before-commit')
  })
}

/** Books the final result: the issuer's credit is permanent, or is taken back. */
async function settleDisputedAmount(
  tx: Tx,
  { id, cardId, userId, amount, transactionId }: Dispute,
  { credited, n }: { readonly credited: boolean; readonly n: number },
): Promise<void> {
  const card = await lockCard(tx, cardId)
  const ref = `${id}c${n}`
  await bookDispute(tx, cardId, { ref, amount, credited })
  const booked = await selectTransactionById(tx, transactionId)
  await insertBill(tx, {
    id: ref,
    cardId,
    userId,
    at: card.now,
    kind: credited ? 'dispute_credit' : 'dispute_lost',
    state: 'success',
    amount: credited ? amount : subtractNano(0n, amount),
    after: await readNetCardBalance(tx, cardId),
    ...(booked ? { authorizationId: booked.authorizationId } : {}),
  })
  if (card.state === 'closed') await sweepClosed(tx, card)
}
