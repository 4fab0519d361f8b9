import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { minNano, subtractNano, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { spendMonthlyLimit } from '../cards/data-months.ts'
import { lockCardByRef, changeCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import type { TaskHold } from '../tasks/data.ts'
import { findArmedHold, spendTaskHold } from '../tasks/task-hold.ts'
import type { AuthorizationRequest, DeclineReason, AuthorizationDecision, Issuer } from '../vendors/port.ts'
import { readSpendingLimit, computeForeignFee, toLocalAmount, nanoToCents, toShanghaiMonth, centsToNano } from '../figures.ts'
import { selectAuthByRef, changeAuth, insertAuth } from './data.ts'
import type { Auth } from './data.ts'
import { selectDecision, selectFirstDecision, insertDecision, setLockTimeout, selectRefusalCounts } from './data-decisions.ts'
import type { DecisionRow } from './data-decisions.ts'
import { resizeAuthHold } from './hold.ts'
import { upsertAuthBill } from './auth-bill.ts'
import { computeShortfall, findDeclineReason } from './rules.ts'
import { closingRules } from '../settings.ts'

/** An approved charge resets the count of consecutive refusals. */
async function countApproval(tx: Tx, card: Card): Promise<void> {
  if (card.refusals > 0) await changeCard(tx, card, { change: { refusals: 0 } })
}

/** Counts consecutive refusals for lack of balance, and the rate of all refusals; either closes the card. */
async function countRefusal(
  deps: Deps,
  tx: Tx,
  { card, auth, reason }: { readonly card: Card; readonly auth: Auth; readonly reason: DeclineReason },
): Promise<void> {
  if (card.state !== 'active') return
  const { inRow, warnAt, rate, from, days } = await deps.settings.get(closingRules)
  const isPoor = reason === 'insufficient_funds' || reason === 'card_in_debt' || reason === 'account_in_debt'
  const refusals = isPoor ? card.refusals + 1 : card.refusals
  const now = isPoor ? await changeCard(tx, card, { change: { refusals } }) : card
  const share = await selectRefusalCounts(tx, card.id, days)
  const close = refusals >= inRow ? 'refusals' : share.all >= from && share.refused > rate * share.all ? 'refusal_rate' : undefined
  const news = {
    cardId: card.id,
    userId: card.userId,
    last4: card.last4,
    merchant: auth.merchant.name,
    amount: formatUsd(auth.asked),
    reason,
    refusals,
    closesAt: inRow,
  }
  if (close) {
    await changeCard(tx, now, { change: { state: 'closing', closeReason: close, issuerWanted: 'frozen' }, options: { seconds: 0, reason: close } })
    await tx.emit('card.closed_by_rule', { ...news, why: close })
  } else if (isPoor && refusals >= warnAt) await tx.emit('card.declined', news)
}

const tailByKey = new Map<string, Promise<unknown>>()

/** Serializes work per key, so that a storm on one card keeps one connection busy, not all of them. */
function serializeByKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tailByKey.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const over = mine.then(
    () => undefined,
    () => undefined,
  )
  tailByKey.set(key, over)
  void over.then(() => {
    if (tailByKey.get(key) === over) tailByKey.delete(key)
  })
  return mine
}

/** Deadline of a decision. The issuer waits 2 s at most; without a decision by now we decline. */
export const DEADLINE_MS = 1500
const NO_ANSWER: AuthorizationDecision = { approved: false, reason: 'no_answer' }

/** Decides an authorisation request within the deadline; idempotent per event and sum. */
export async function decideAuthorization(
  deps: Deps,
  issuer: Issuer,
  { eventId, asked, deadlineMs = DEADLINE_MS }: { readonly eventId: string; readonly asked: AuthorizationRequest; readonly deadlineMs?: number },
): Promise<AuthorizationDecision> {
  const late = AbortSignal.timeout(deadlineMs)
  const overdue = new Promise<AuthorizationDecision>((resolve) => late.addEventListener('abort', () => resolve(NO_ANSWER), { once: true }))
  const answer = decideOnce(deps, issuer, { eventId, asked, late }).catch(async (error: unknown) => {
    const known = await selectDecision(deps.db, issuer.name, { eventId, asked: centsToNano(asked.minor) }).catch(() => undefined)
    if (known) return toDecision(known)
    deps.log.error({ err: error, ref: asked.ref }, 'an authorisation could not be decided')
    return NO_ANSWER
  })
  const decision = await Promise.race([answer, overdue])
  if (!decision.approved && decision.reason === 'no_answer') countEvent('cards.no_answer')
  return decision
}

function toDecision({ approved, asked, amount, reason }: DecisionRow): AuthorizationDecision {
  if (!approved) return { approved, reason: reason as DeclineReason }
  return amount < asked ? { approved, minor: nanoToCents(amount) } : { approved }
}

async function decideOnce(
  deps: Deps,
  issuer: Issuer,
  { eventId, asked, late }: { readonly eventId: string; readonly asked: AuthorizationRequest; readonly late: AbortSignal },
): Promise<AuthorizationDecision> {
  return serializeByKey(`${issuer.name}:${asked.cardRef}`, () =>
    late.aborted ? Promise.resolve(NO_ANSWER) : decideSerialized(deps, issuer, { eventId, asked, late }),
  )
}

async function decideSerialized(
  deps: Deps,
  issuer: Issuer,
  { eventId, asked, late }: { readonly eventId: string; readonly asked: AuthorizationRequest; readonly late: AbortSignal },
): Promise<AuthorizationDecision> {
  const known = await selectDecision(deps.db, issuer.name, { eventId, asked: centsToNano(asked.minor) })
  if (known) return toDecision(known)
  return transact(deps.db, { kind: 'channel', id: issuer.name }, async (tx) => {
    await setLockTimeout(tx, DEADLINE_MS)
    const card = await lockCardByRef(tx, issuer.name, asked.cardRef)
    const said = card ? await evaluateRequest(deps, tx, { card, issuer, asked }) : { approved: false, amount: 0n, reason: 'card_not_ready' as const }
    const row = { approved: said.approved, asked: centsToNano(asked.minor), amount: said.amount, reason: said.reason ?? '' }
    await insertDecision(tx, { issuer: issuer.name, eventId, ref: asked.ref, cardId: card?.id ?? null, ...row })
    await tx.audit('authorization.decided', card ? `card:${card.id}` : 'card:unknown', { ref: asked.ref, approved: said.approved, reason: row.reason })
    crashPoint('cards.decide-before-commit')
    // The issuer has stopped waiting, so roll back: a hold would be pointless.
    if (late.aborted) throw new Error('too late to answer')
    return toDecision(row)
  })
}

interface DecisionOutcome {
  readonly approved: boolean
  readonly amount: Nano
  readonly reason?: DeclineReason
}

async function evaluateRequest(
  deps: Deps,
  tx: Tx,
  { card, issuer, asked }: { readonly card: Card; readonly issuer: Issuer; readonly asked: AuthorizationRequest },
): Promise<DecisionOutcome> {
  const before = await selectAuthByRef(tx, issuer.name, asked.ref)
  const no = before && (await findEarlierRefusal(tx, before, asked))
  if (no) return no
  const amount = centsToNano(asked.minor)
  const now = deps.clock.now()
  const has = (await readCardBalances(tx, [card.id])).get(card.id)!
  const auth = before ?? (await insertRequestedAuth(tx, card, { issuer, asked, now }))
  const why = await findDeclineReason(deps, tx, { card, merchant: asked.merchant, has })
  if (why) return recordDecline(deps, tx, { card, auth, isIncrement: before !== undefined, amount, reason: why })
  const fee = await computeForeignFee(deps, asked.merchant.country, amount)
  // Adds the sum kept for a task of this merchant to the free balance; a request above both is decided like any other.
  const kept = has.held > 0n && amount > 0n ? await findArmedHold(tx, card.id, asked.merchant) : undefined
  const free = addNano(has.available, kept?.leftNano ?? 0n)
  const allowed = addNano(amount, fee) <= free ? amount : before ? 0n : await computePartialAmount(deps, issuer, { asked, available: free })
  if (allowed === 0n && amount > 0n)
    return recordDecline(deps, tx, {
      card,
      auth,
      isIncrement: before !== undefined,
      amount,
      reason: 'insufficient_funds',
      missing: computeShortfall(free, addNano(amount, fee)),
    })
  const ceiling = await readSpendingLimit(deps, tx, card.userId)
  if (allowed > 0n && !(await spendMonthlyLimit(tx, card.id, { month: auth.month, amount: allowed, ceiling })))
    return recordDecline(deps, tx, { card, auth, isIncrement: before !== undefined, amount, reason: 'monthly_limit' })
  await approve(deps, tx, { card, auth, amount: allowed, cover: { isIncrement: before !== undefined, free: has.available, kept } })
  return { approved: true, amount: allowed }
}

/**
 * A refusal is final, also under another event, and a reversed or expired authorisation is over. An approval covers only its own
 * request: another request about an approved authorisation adds to it and is held, whether or not the issuer calls it an increment.
 */
async function findEarlierRefusal(tx: Tx, { issuer, ref, state }: Auth, { increment }: AuthorizationRequest): Promise<DecisionOutcome | undefined> {
  if (state === 'reversed' || state === 'expired') return { approved: false, amount: 0n, reason: 'issuer_rule' }
  const said = state === 'declined' && !increment ? await selectFirstDecision(tx, issuer, ref) : undefined
  return said && !said.approved ? { approved: false, amount: 0n, reason: said.reason as DeclineReason } : undefined
}

/** Partial approval, where issuer and merchant support it. */
async function computePartialAmount(
  deps: Deps,
  issuer: Issuer,
  { asked, available }: { readonly asked: AuthorizationRequest; readonly available: Nano },
): Promise<Nano> {
  if (!issuer.supports.partial || !asked.partialAllowed || available <= 0n) return 0n
  const fee = await computeForeignFee(deps, asked.merchant.country, available)
  const part = subtractNano(available, fee)
  return part >= centsToNano(100n) ? centsToNano(nanoToCents(minNano(part, centsToNano(asked.minor)))) : 0n
}

async function insertRequestedAuth(
  tx: Tx,
  card: Card,
  { issuer, asked, now }: { readonly issuer: Issuer; readonly asked: AuthorizationRequest; readonly now: Date },
): Promise<Auth> {
  const made = await insertAuth(tx, {
    id: createId('auth'),
    issuer: issuer.name,
    ref: asked.ref,
    cardId: card.id,
    state: 'declined',
    asked: centsToNano(asked.minor),
    month: toShanghaiMonth(now),
    merchant: asked.merchant,
    local: toLocalAmount(asked.local),
    createdAt: now,
    decided: true,
  })
  return made!
}

interface ApprovalCover {
  readonly isIncrement: boolean
  readonly free: Nano
  readonly kept: TaskHold | undefined
}

async function approve(
  deps: Deps,
  tx: Tx,
  {
    card,
    auth,
    amount,
    cover: { isIncrement, free, kept },
  }: { readonly card: Card; readonly auth: Auth; readonly amount: Nano; readonly cover: ApprovalCover },
): Promise<void> {
  const issuerHeld = addNano(auth.issuerHeld, amount)
  const target = addNano(issuerHeld, await computeForeignFee(deps, auth.merchant.country, issuerHeld))
  const lent = kept ? await spendTaskHold(tx, kept, { ref: auth.id, wanted: subtractNano(target, auth.held) }) : 0n
  const held = await resizeAuthHold(tx, auth, { target, free: addNano(free, lent) })
  const asked = isIncrement ? addNano(auth.asked, amount) : auth.asked
  const change = {
    state: 'approved' as const,
    asked,
    issuer_held: issuerHeld,
    counted: addNano(auth.counted, amount),
    reason: '',
    missing: null,
    decided_at: auth.now,
    ...held,
  }
  const row = await changeAuth(tx, auth.id, { change, seconds: 15 })
  await insertAuthStep(tx, auth.id, { event: isIncrement ? 'increased' : 'approved', amount })
  await upsertAuthBill(deps, tx, { card, auth: row })
  // a card verification, which has no amount, is not an approved charge
  if (amount > 0n) await countApproval(tx, card)
}

async function recordDecline(
  deps: Deps,
  tx: Tx,
  {
    card,
    auth,
    isIncrement,
    amount,
    reason,
    missing,
  }: {
    readonly card: Card
    readonly auth: Auth
    readonly isIncrement: boolean
    readonly amount: Nano
    readonly reason: DeclineReason
    readonly missing?: Nano
  },
): Promise<DecisionOutcome> {
  await insertAuthStep(tx, auth.id, { event: isIncrement ? 'increase_declined' : 'declined', amount })
  if (!isIncrement) {
    await changeAuth(tx, auth.id, { change: { reason, missing: missing ?? null }, seconds: 60 })
    await insertBill(tx, {
      id: auth.id,
      cardId: card.id,
      userId: card.userId,
      at: auth.createdAt,
      kind: amount > 0n ? 'purchase' : 'verification',
      state: 'fail',
      amount: subtractNano(0n, amount),
      merchant: auth.merchant,
      ...(auth.local ? { local: auth.local } : {}),
      reason,
      ...(missing === undefined ? {} : { missing }),
      authorizationId: auth.id,
    })
  }
  await countRefusal(deps, tx, { card, auth, reason })
  return { approved: false, amount: 0n, reason }
}
