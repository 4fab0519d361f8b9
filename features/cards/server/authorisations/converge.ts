import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano, parseUsd, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { addForcedSpending } from '../cards/data-months.ts'
import { changeCard, lockCardByRef, lockCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookCardFee, readNetCardBalance } from '../money/bookings.ts'
import { cardFees, spendingLimits } from '../settings.ts'
import { findArmedHold, returnToTask, spendTaskHold } from '../tasks/task-hold.ts'
import type { Issuer, IssuerAuthorization } from '../vendors/port.ts'
import { readSpendingLimit, computeForeignFee, toLocalAmount, toShanghaiMonth, centsToNano } from '../figures.ts'
import { selectAuthByRef, changeAuth, insertAuth, scheduleAuth } from './data.ts'
import type { Auth, AuthState } from './data.ts'
import { resizeAuthHold } from './hold.ts'
import { hasReachedLossLimit } from './rules.ts'
import { upsertAuthBill } from './auth-bill.ts'

/** Grace period in which a sum that the issuer no longer holds waits for the capture that explains it. */
export const GRACE_SECONDS = 120
/** Time in which our response may still be in transit to the issuer. */
const FRESH_MS = 5000
const WATCH_SECONDS = 3600
const MAX_ATTEMPTS = 6

/** Result of converging an authorisation; `unknown_card`: not our card, or not recorded yet. */
export type ConvergeResult = 'done' | 'unknown_card'

/**
 * Brings an authorisation to the issuer's state. Queries the issuer without a lock and applies the answer only if none was applied
 * since the query, so that an older answer never overwrites a newer one.
 */
export async function convergeAuthorization(deps: Deps, issuer: Issuer, ref: string): Promise<ConvergeResult> {
  for (let tries = 1; ; tries++) {
    const before = await selectAuthByRef(deps.db, issuer.name, ref)
    const truth = await issuer.authorization(ref)
    if (before && isFresh(before) && !truth.approved && before.state === 'approved') {
      await scheduleAuth(deps.db, before.id, FRESH_MS / 1000)
      return 'done'
    }
    crashPoint('cards.before-converge')
    const outcome = await transact(deps.db, SYSTEM, async (tx) => {
      const card = await lockCardByRef(tx, issuer.name, truth.cardRef)
      if (!card) return 'unknown_card'
      const now = await selectAuthByRef(tx, issuer.name, ref)
      if (now?.version !== before?.version) return 'again'
      const auth = now ?? (await insertDiscoveredAuth(tx, card, { issuer, truth }))
      if (!auth) return 'again'
      await apply(deps, tx, { card, auth, truth })
      await tx.audit('authorization.converged', `card:${card.id}`, { ref, status: truth.status, approved: truth.approved, held: truth.heldMinor.toString() })
      crashPoint('cards.converge-before-commit')
      return 'done'
    })
    if (outcome !== 'again') return outcome
    if (tries === MAX_ATTEMPTS) throw new Error(`authorisation ${ref} does not come to rest`)
  }
}

const isFresh = (auth: Auth) => auth.decidedAt !== null && auth.now.getTime() - auth.decidedAt.getTime() < FRESH_MS

/** Inserts an authorisation that was decided without us: during an outage, or by a rule of the issuer. */
async function insertDiscoveredAuth(
  tx: Tx,
  card: Card,
  { issuer, truth }: { readonly issuer: Issuer; readonly truth: IssuerAuthorization },
): Promise<Auth | undefined> {
  return insertAuth(tx, {
    id: createId('auth'),
    issuer: issuer.name,
    ref: truth.ref,
    cardId: card.id,
    state: 'declined',
    asked: centsToNano(truth.approved ? truth.approvedMinor : 0n),
    month: toShanghaiMonth(truth.createdAt),
    merchant: truth.merchant,
    local: toLocalAmount(truth.local),
    createdAt: truth.createdAt,
    decided: false,
  })
}

async function apply(
  deps: Deps,
  tx: Tx,
  { card, auth, truth }: { readonly card: Card; readonly auth: Auth; readonly truth: IssuerAuthorization },
): Promise<void> {
  const state: AuthState = !truth.approved ? 'declined' : truth.status === 'pending' ? 'approved' : truth.status
  const issuerHeld = state === 'approved' ? centsToNano(truth.heldMinor) : 0n
  const waits = isWaiting(auth, truth, { state, issuerHeld })
  const shown = waits ? auth.issuerHeld : issuerHeld
  const target = addNano(shown, await computeForeignFee(deps, auth.merchant.country, shown))
  const kept = target > auth.held ? await findArmedHold(tx, card.id, auth.merchant) : undefined
  if (kept) await spendTaskHold(tx, kept, { ref: auth.id, wanted: subtractNano(target, auth.held) })
  const held = await resizeAuthHold(tx, auth, { target })
  if (auth.captured === 0n && held.held < auth.held) await returnToTask(tx, auth.id, subtractNano(auth.held, held.held))
  const counted = addNano(shown, auth.captured)
  if (counted !== auth.counted)
    await addForcedSpending(tx, card.id, {
      month: auth.month,
      delta: subtractNano(counted, auth.counted),
      ceiling: await readSpendingLimit(deps, tx, card.userId),
    })
  const reversals = truth.approved || truth.status === 'reversed' ? Math.max(auth.reversals, truth.reversals) : auth.reversals
  const asked = truth.approved && centsToNano(truth.approvedMinor) > auth.asked ? centsToNano(truth.approvedMinor) : auth.asked
  const release = waits ? (auth.releaseAt ?? new Date(auth.now.getTime() + GRACE_SECONDS * 1000)) : null
  const change = {
    state,
    asked,
    issuer_held: shown,
    counted,
    reversals,
    release_at: release,
    reason: state === 'declined' ? (truth.reason ?? auth.reason) : '',
    ...held,
  }
  const row = await changeAuth(tx, auth.id, { change, seconds: waits ? GRACE_SECONDS + 1 : state === 'approved' ? WATCH_SECONDS : null })
  if (state !== auth.state || shown !== auth.issuerHeld) await insertAuthStep(tx, auth.id, { event: state === auth.state ? 'changed' : state, amount: shown })
  await upsertAuthBill(deps, tx, { card, auth: row })
  if (isWholeReversal(truth)) await chargeReversal(deps, tx, { card, auth })
  await stopLosses(deps, tx, card)
}

/**
 * True if the issuer holds less than we do without a known reason, so a capture has probably not reached us yet. Releasing the
 * difference would allow spending it twice, so it stays held for a grace period.
 */
function isWaiting(auth: Auth, truth: IssuerAuthorization, { state, issuerHeld }: { readonly state: AuthState; readonly issuerHeld: Nano }): boolean {
  if (issuerHeld >= auth.issuerHeld || (auth.state !== 'approved' && auth.state !== 'closed')) return false
  if (state !== 'approved' && state !== 'closed') return false
  if (truth.reversals > auth.reversals) return false
  if (addNano(issuerHeld, auth.captured) >= centsToNano(truth.approvedMinor)) return false
  if (state === 'closed' && auth.captured > 0n) return false
  return auth.releaseAt === null || auth.releaseAt > auth.now
}

/** True if the merchant reversed the whole approved sum at once. Partial reversals, an expiry and releases by a capture cost no fee. */
const isWholeReversal = ({ status, reversals, approvedMinor }: IssuerAuthorization): boolean => status === 'reversed' && reversals === 1 && approvedMinor > 0n

/** Charges the fee of a reversal, once per authorisation. */
async function chargeReversal(deps: Deps, tx: Tx, { card, auth }: { readonly card: Card; readonly auth: Auth }): Promise<void> {
  const fee = parseUsd((await deps.settings.get(cardFees)).reversal)
  if (fee <= 0n) return
  const id = `${auth.id}r1`
  await bookCardFee(tx, card.id, { ref: id, amount: fee })
  await insertBill(tx, {
    id,
    cardId: card.id,
    userId: card.userId,
    at: auth.now,
    kind: 'fee_reversal',
    state: 'success',
    amount: 0n,
    fee: subtractNano(0n, fee),
    feeKind: 'reversal',
    merchant: auth.merchant,
    after: await readNetCardBalance(tx, card.id),
    authorizationId: auth.id,
  })
}

/** Freezes the card at the issuer once it reaches our loss limit, because the issuer also approves charges that it does not ask us about. */
export async function stopLosses(deps: Deps, tx: Tx, before: Card): Promise<void> {
  const card = await lockCard(tx, before.id)
  // also when frozen by its member: the member can unfreeze that, which must not reopen the card
  if (card.state !== 'active' && !(card.state === 'frozen' && card.frozenBy === 'user')) return
  const has = (await readCardBalances(tx, [card.id])).get(card.id)!
  if (!hasReachedLossLimit(card, has, parseUsd((await deps.settings.get(spendingLimits)).house))) return
  countEvent('cards.house_limit')
  await changeCard(tx, card, { change: { state: 'frozen', frozenBy: 'risk', issuerWanted: 'frozen' }, options: { seconds: 0, reason: 'house_limit' } })
  await tx.emit('card.stopped', { cardId: card.id, userId: card.userId, last4: card.last4 })
}
