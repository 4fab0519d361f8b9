import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { minus, parseUsd, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardBalancesOf } from '#features/wallet/server/door.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { forceMonth } from '../cards/data-months.ts'
import { changeCard, lockByRef, lockCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookFee, standOf } from '../money/bookings.ts'
import { cardFees, spendingLimits } from '../settings.ts'
import { armedAt, backToTask, spendOfTask } from '../tasks/keep.ts'
import type { Issuer, IssuerAuthorization } from '../vendors/port.ts'
import { ceilingOf, feeAbroad, localOf, monthOf, nanoOf } from '../figures.ts'
import { authByRef, changeAuth, insertAuth, scheduleAuth } from './data.ts'
import type { Auth, AuthState } from './data.ts'
import { holdAt } from './hold.ts'
import { isBeyondHouse } from './rules.ts'
import { showHeld } from './show-held.ts'

/** How long a sum that the issuer no longer holds waits for the capture that explains it. */
export const GRACE_SECONDS = 120
/** An answer of ours may still be on its way to the issuer. */
const FRESH_MS = 5000
const WATCH_SECONDS = 3600
const TRIES = 6

/** Result of converging an authorisation; `unknown_card`: not our card, or not recorded yet. */
export type Converged = 'done' | 'unknown_card'

/**
 * Brings an authorisation to the issuer's state. Queries the issuer without a lock and applies the answer only if none was applied
 * since the query, so that an older answer never overwrites a newer one.
 */
export async function converge(deps: Deps, issuer: Issuer, ref: string): Promise<Converged> {
  for (let tries = 1; ; tries++) {
    const before = await authByRef(deps.db, issuer.name, ref)
    const truth = await issuer.authorization(ref)
    if (before && isFresh(before) && !truth.approved && before.state === 'approved') {
      await scheduleAuth(deps.db, before.id, FRESH_MS / 1000)
      return 'done'
    }
    crashPoint('cards.before-converge')
    const outcome = await transact(deps.db, SYSTEM, async (tx) => {
      const card = await lockByRef(tx, issuer.name, truth.cardRef)
      if (!card) return 'unknown_card'
      const now = await authByRef(tx, issuer.name, ref)
      if (now?.version !== before?.version) return 'again'
      const auth = now ?? (await discovered(tx, card, issuer, truth))
      if (!auth) return 'again'
      await apply(deps, tx, card, auth, truth)
      await tx.audit('authorization.converged', `card:${card.id}`, { ref, status: truth.status, approved: truth.approved, held: truth.heldMinor.toString() })
      crashPoint('cards.converge-before-commit')
      return 'done'
    })
    if (outcome !== 'again') return outcome
    if (tries === TRIES) throw new Error(`authorisation ${ref} does not come to rest`)
  }
}

const isFresh = (auth: Auth) => auth.decided_at !== null && auth.now.getTime() - auth.decided_at.getTime() < FRESH_MS

/** Decided without us: while we were away, or by a rule of the issuer. */
async function discovered(tx: Tx, card: Card, issuer: Issuer, truth: IssuerAuthorization): Promise<Auth | undefined> {
  return insertAuth(tx, {
    id: newId('auth'),
    issuer: issuer.name,
    ref: truth.ref,
    cardId: card.id,
    state: 'declined',
    asked: nanoOf(truth.approved ? truth.approvedMinor : 0n),
    month: monthOf(truth.createdAt),
    merchant: truth.merchant,
    local: localOf(truth.local),
    createdAt: truth.createdAt,
    decided: false,
  })
}

async function apply(deps: Deps, tx: Tx, card: Card, auth: Auth, truth: IssuerAuthorization): Promise<void> {
  const state: AuthState = !truth.approved ? 'declined' : truth.status === 'pending' ? 'approved' : truth.status
  const issuerHeld = state === 'approved' ? nanoOf(truth.heldMinor) : 0n
  const waits = isWaiting(auth, truth, state, issuerHeld)
  const shown = waits ? auth.issuer_held : issuerHeld
  const target = plus(shown, await feeAbroad(deps, auth.merchant.country, shown))
  const kept = target > auth.held ? await armedAt(tx, card.id, auth.merchant) : undefined
  if (kept) await spendOfTask(tx, kept, auth.id, minus(target, auth.held))
  const held = await holdAt(tx, auth, target)
  if (auth.captured === 0n && held.held < auth.held) await backToTask(tx, auth.id, minus(auth.held, held.held))
  const counted = plus(shown, auth.captured)
  if (counted !== auth.counted) await forceMonth(tx, card.id, auth.month, minus(counted, auth.counted), await ceilingOf(deps, tx, card.user_id))
  const reversals = truth.approved || truth.status === 'reversed' ? Math.max(auth.reversals, truth.reversals) : auth.reversals
  const asked = truth.approved && nanoOf(truth.approvedMinor) > auth.asked ? nanoOf(truth.approvedMinor) : auth.asked
  const release = waits ? (auth.release_at ?? new Date(auth.now.getTime() + GRACE_SECONDS * 1000)) : null
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
  const row = await changeAuth(tx, auth.id, change, waits ? GRACE_SECONDS + 1 : state === 'approved' ? WATCH_SECONDS : null)
  if (state !== auth.state || shown !== auth.issuer_held) await insertAuthStep(tx, auth.id, state === auth.state ? 'changed' : state, shown)
  await showHeld(deps, tx, card, row)
  if (isWholeReversal(truth)) await chargeReversal(deps, tx, card, auth)
  await stopLosses(deps, tx, card)
}

/**
 * True if the issuer holds less than we do without a known reason, so a capture has probably not reached us yet. Releasing the
 * difference would allow spending it twice, so it stays held for a grace period.
 */
function isWaiting(auth: Auth, truth: IssuerAuthorization, state: AuthState, issuerHeld: Nano): boolean {
  if (issuerHeld >= auth.issuer_held || (auth.state !== 'approved' && auth.state !== 'closed')) return false
  if (state !== 'approved' && state !== 'closed') return false
  if (truth.reversals > auth.reversals) return false
  if (plus(issuerHeld, auth.captured) >= nanoOf(truth.approvedMinor)) return false
  if (state === 'closed' && auth.captured > 0n) return false
  return auth.release_at === null || auth.release_at > auth.now
}

/** True if the merchant reversed the whole approved sum at once. Partial reversals, an expiry and releases by a capture cost no fee. */
const isWholeReversal = ({ status, reversals, approvedMinor }: IssuerAuthorization): boolean => status === 'reversed' && reversals === 1 && approvedMinor > 0n

/** Once an authorisation. */
async function chargeReversal(deps: Deps, tx: Tx, card: Card, auth: Auth): Promise<void> {
  const fee = parseUsd((await deps.settings.get(cardFees)).reversal)
  if (fee <= 0n) return
  const id = `${auth.id}r1`
  await bookFee(tx, card.id, id, fee)
  await insertBill(tx, {
    id,
    cardId: card.id,
    userId: card.user_id,
    at: auth.now,
    kind: 'fee_reversal',
    state: 'success',
    amount: 0n,
    fee: minus(0n, fee),
    feeKind: 'reversal',
    merchant: auth.merchant,
    after: await standOf(tx, card.id),
    authorizationId: auth.id,
  })
}

/** Freezes the card at the issuer once it reaches our loss limit, because the issuer also approves charges that it does not ask us about. */
export async function stopLosses(deps: Deps, tx: Tx, before: Card): Promise<void> {
  const card = await lockCard(tx, before.id)
  // also when frozen by its member: the member can unfreeze that, which must not reopen the card
  if (card.state !== 'active' && !(card.state === 'frozen' && card.frozen_by === 'user')) return
  const has = (await cardBalancesOf(tx, [card.id])).get(card.id)!
  if (!isBeyondHouse(card, has, parseUsd((await deps.settings.get(spendingLimits)).house))) return
  countEvent('cards.house_limit')
  await changeCard(tx, card, { state: 'frozen', frozen_by: 'risk', issuer_wanted: 'frozen' }, { seconds: 0, reason: 'house_limit' })
  await tx.emit('card.stopped', { cardId: card.id, userId: card.user_id, last4: card.last4 })
}
