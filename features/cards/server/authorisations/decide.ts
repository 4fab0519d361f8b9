import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { least, minus, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardBalancesOf } from '#features/wallet/server/door.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { spendOfMonth } from '../cards/data-months.ts'
import { lockByRef } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import type { TaskHold } from '../tasks/data.ts'
import { armedAt, spendOfTask } from '../tasks/keep.ts'
import type { AskedAuthorization, DeclineReason, Decision, Issuer } from '../vendors/port.ts'
import { ceilingOf, feeAbroad, localOf, minorOf, monthOf, nanoOf } from '../figures.ts'
import { countApproval, countRefusal } from './refusals.ts'
import { authByRef, changeAuth, insertAuth } from './data.ts'
import { decisionOf, firstDecision, insertDecision, waitAtMost } from './data-decisions.ts'
import type { Auth } from './data.ts'
import type { DecisionRow } from './data-decisions.ts'
import { holdAt } from './hold.ts'
import { inTurn } from './in-turn.ts'
import { showHeld } from './show-held.ts'
import { missingFor, refusal } from './rules.ts'

/** Deadline of a decision. The issuer waits 2 s at most; without a decision by now we decline. */
export const DEADLINE_MS = 1500
const NO_ANSWER: Decision = { approved: false, reason: 'no_answer' }

/** Decides an authorisation request within the deadline; idempotent per event and sum. */
export async function decide(deps: Deps, issuer: Issuer, eventId: string, asked: AskedAuthorization, deadlineMs = DEADLINE_MS): Promise<Decision> {
  const late = AbortSignal.timeout(deadlineMs)
  const overdue = new Promise<Decision>((resolve) => late.addEventListener('abort', () => resolve(NO_ANSWER), { once: true }))
  const answer = decideOnce(deps, issuer, eventId, asked, late).catch(async (error: unknown) => {
    const known = await decisionOf(deps.db, issuer.name, eventId, nanoOf(asked.minor)).catch(() => undefined)
    if (known) return answerOf(known)
    deps.log.error({ err: error, ref: asked.ref }, 'an authorisation could not be decided')
    return NO_ANSWER
  })
  const decision = await Promise.race([answer, overdue])
  if (!decision.approved && decision.reason === 'no_answer') countEvent('cards.no_answer')
  return decision
}

function answerOf({ approved, asked, amount, reason }: DecisionRow): Decision {
  if (!approved) return { approved, reason: reason as DeclineReason }
  return amount < asked ? { approved, minor: minorOf(amount) } : { approved }
}

async function decideOnce(deps: Deps, issuer: Issuer, eventId: string, asked: AskedAuthorization, late: AbortSignal): Promise<Decision> {
  return inTurn(`${issuer.name}:${asked.cardRef}`, () => (late.aborted ? Promise.resolve(NO_ANSWER) : decideInTurn(deps, issuer, eventId, asked, late)))
}

async function decideInTurn(deps: Deps, issuer: Issuer, eventId: string, asked: AskedAuthorization, late: AbortSignal): Promise<Decision> {
  const known = await decisionOf(deps.db, issuer.name, eventId, nanoOf(asked.minor))
  if (known) return answerOf(known)
  return transact(deps.db, { kind: 'channel', id: issuer.name }, async (tx) => {
    await waitAtMost(tx, DEADLINE_MS)
    const card = await lockByRef(tx, issuer.name, asked.cardRef)
    const said = card ? await answer(deps, tx, card, issuer, asked) : { approved: false, amount: 0n, reason: 'card_not_ready' as const }
    const row = { approved: said.approved, asked: nanoOf(asked.minor), amount: said.amount, reason: said.reason ?? '' }
    await insertDecision(tx, { issuer: issuer.name, eventId, ref: asked.ref, cardId: card?.id ?? null, ...row })
    await tx.audit('authorization.decided', card ? `card:${card.id}` : 'card:unknown', { ref: asked.ref, approved: said.approved, reason: row.reason })
    crashPoint('cards.decide-before-commit')
    // The issuer has stopped waiting, so roll back: a hold would be pointless.
    if (late.aborted) throw new Error('too late to answer')
    return answerOf(row)
  })
}

interface Said {
  readonly approved: boolean
  readonly amount: Nano
  readonly reason?: DeclineReason
}

async function answer(deps: Deps, tx: Tx, card: Card, issuer: Issuer, asked: AskedAuthorization): Promise<Said> {
  const before = await authByRef(tx, issuer.name, asked.ref)
  const no = before && (await refusedBefore(tx, before, asked))
  if (no) return no
  const amount = nanoOf(asked.minor)
  const now = deps.clock.now()
  const has = (await cardBalancesOf(tx, [card.id])).get(card.id)!
  const auth = before ?? (await opened(tx, card, issuer, asked, now))
  const why = await refusal(deps, tx, card, asked.merchant, has)
  if (why) return declined(deps, tx, card, auth, before !== undefined, amount, why)
  const fee = await feeAbroad(deps, asked.merchant.country, amount)
  // Adds the sum kept for a task of this merchant to the free balance; above both the request is decided as any other.
  const kept = has.held > 0n && amount > 0n ? await armedAt(tx, card.id, asked.merchant) : undefined
  const free = plus(has.available, kept?.left_nano ?? 0n)
  const allowed = plus(amount, fee) <= free ? amount : before ? 0n : await partOf(deps, issuer, asked, free)
  if (allowed === 0n && amount > 0n)
    return declined(deps, tx, card, auth, before !== undefined, amount, 'insufficient_funds', missingFor(free, plus(amount, fee)))
  const ceiling = await ceilingOf(deps, tx, card.user_id)
  if (allowed > 0n && !(await spendOfMonth(tx, card.id, auth.month, allowed, ceiling)))
    return declined(deps, tx, card, auth, before !== undefined, amount, 'monthly_limit')
  await approve(deps, tx, card, auth, allowed, { isIncrement: before !== undefined, free: has.available, kept })
  return { approved: true, amount: allowed }
}

/**
 * A refusal is final, also under another event, and a reversed or expired authorisation is over. An approval covers only its own
 * request: another request about an approved authorisation adds to it and is held, whether or not the issuer calls it an increment.
 */
async function refusedBefore(tx: Tx, { issuer, ref, state }: Auth, { increment }: AskedAuthorization): Promise<Said | undefined> {
  if (state === 'reversed' || state === 'expired') return { approved: false, amount: 0n, reason: 'issuer_rule' }
  const said = state === 'declined' && !increment ? await firstDecision(tx, issuer, ref) : undefined
  return said && !said.approved ? { approved: false, amount: 0n, reason: said.reason as DeclineReason } : undefined
}

/** Partial approval, where issuer and merchant support it. */
async function partOf(deps: Deps, issuer: Issuer, asked: AskedAuthorization, available: Nano): Promise<Nano> {
  if (!issuer.supports.partial || !asked.partialAllowed || available <= 0n) return 0n
  const fee = await feeAbroad(deps, asked.merchant.country, available)
  const part = minus(available, fee)
  return part >= nanoOf(100n) ? nanoOf(minorOf(least(part, nanoOf(asked.minor)))) : 0n
}

async function opened(tx: Tx, card: Card, issuer: Issuer, asked: AskedAuthorization, now: Date): Promise<Auth> {
  const made = await insertAuth(tx, {
    id: newId('auth'),
    issuer: issuer.name,
    ref: asked.ref,
    cardId: card.id,
    state: 'declined',
    asked: nanoOf(asked.minor),
    month: monthOf(now),
    merchant: asked.merchant,
    local: localOf(asked.local),
    createdAt: now,
    decided: true,
  })
  return made!
}

interface Cover {
  readonly isIncrement: boolean
  readonly free: Nano
  readonly kept: TaskHold | undefined
}

async function approve(deps: Deps, tx: Tx, card: Card, auth: Auth, amount: Nano, { isIncrement, free, kept }: Cover): Promise<void> {
  const issuerHeld = plus(auth.issuer_held, amount)
  const target = plus(issuerHeld, await feeAbroad(deps, auth.merchant.country, issuerHeld))
  const lent = kept ? await spendOfTask(tx, kept, auth.id, minus(target, auth.held)) : 0n
  const held = await holdAt(tx, auth, target, plus(free, lent))
  const asked = isIncrement ? plus(auth.asked, amount) : auth.asked
  const change = {
    state: 'approved' as const,
    asked,
    issuer_held: issuerHeld,
    counted: plus(auth.counted, amount),
    reason: '',
    missing: null,
    decided_at: auth.now,
    ...held,
  }
  const row = await changeAuth(tx, auth.id, change, 15)
  await insertAuthStep(tx, auth.id, isIncrement ? 'increased' : 'approved', amount)
  await showHeld(deps, tx, card, row)
  // a merchant's look at the card, of no sum, is no charge that went well
  if (amount > 0n) await countApproval(tx, card)
}

async function declined(deps: Deps, tx: Tx, card: Card, auth: Auth, isIncrement: boolean, amount: Nano, reason: DeclineReason, missing?: Nano): Promise<Said> {
  await insertAuthStep(tx, auth.id, isIncrement ? 'increase_declined' : 'declined', amount)
  if (!isIncrement) {
    await changeAuth(tx, auth.id, { reason, missing: missing ?? null }, 60)
    await insertBill(tx, {
      id: auth.id,
      cardId: card.id,
      userId: card.user_id,
      at: auth.created_at,
      kind: amount > 0n ? 'purchase' : 'verification',
      state: 'fail',
      amount: minus(0n, amount),
      merchant: auth.merchant,
      ...(auth.local ? { local: auth.local } : {}),
      reason,
      ...(missing === undefined ? {} : { missing }),
      authorizationId: auth.id,
    })
  }
  await countRefusal(deps, tx, card, auth, reason)
  return { approved: false, amount: 0n, reason }
}
