import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { holderOf } from '#features/identity/server/door.ts'
import { completeOrder, lockOrderNo } from '#features/payments/server/door.ts'
import { minorOf } from '../authorisations/figures.ts'
import { cardById, changeCard, lockCard, scheduleCard } from '../cards/data.ts'
import { inheritMonths } from '../cards/data-months.ts'
import type { Card } from '../cards/data.ts'
import { issuerNamed } from '../issuers.ts'
import { openingPaused, spendingLimits } from '../settings.ts'
import type { Issuer, IssuerCard } from '../vendors/port.ts'
import { chooseCard, holderRef, keepHolder, memberOf } from './data.ts'
import { endCard } from './take-back.ts'

/** A refund that waits for a person or a bank may still be refused. */
const REFUNDING_SECONDS = 60

/** An attempt is one card at the issuer, however often it is asked for. */
const keyOf = (card: Card) => `${card.id}:${card.attempt}`

/** Asks the issuer for a card, once: its answer may be lost, the key finds what was made. */
export async function openCard(deps: Deps, card: Card): Promise<void> {
  const issuer = issuerNamed(deps, card.issuer)
  if (!issuer) return void countEvent('cards.issuer_gone')
  if (card.state === 'requested') {
    if ((await deps.settings.get(openingPaused)).paused && card.replaces === null) return scheduleCard(deps.db, card.id, 300)
    if (!(await begin(deps, card))) return
  }
  crashPoint('cards.open-before-call')
  let made: IssuerCard | undefined
  try {
    made = await madeBy(deps, issuer, (await cardById(deps.db, card.id))!)
  } catch (error) {
    countEvent('cards.open_unknown')
    deps.log.warn({ cardId: card.id, why: (error as Error).message }, 'an issuer gave no clear answer about a new card')
    return scheduleCard(deps.db, card.id, pause(card.checks))
  }
  crashPoint('cards.open-after-call')
  await settle(deps, card.id, made)
}

/** Nothing is asked for while the money of its order goes back: the order's lock says which of the two came first. False: not now. */
async function begin(deps: Deps, { id, order_no: orderNo }: Card): Promise<boolean> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const order = orderNo === null ? undefined : await lockOrderNo(tx, orderNo)
    const card = await lockCard(tx, id)
    if (card.state !== 'requested') return card.state === 'opening'
    await tx.audit('card.opening', `card:${id}`, { attempt: card.attempt, ...(order ? { order } : {}) })
    if (order === 'refunding') await changeCard(tx, card, {}, { seconds: REFUNDING_SECONDS })
    else if (order === 'refunded') await endCard(tx, card)
    else return (await changeCard(tx, card, { state: 'opening', checks: 0 }, { seconds: 15 })).state === 'opening'
    return false
  })
}

/** The card that is there already, else a new one under the same key; undefined: the holder's data are gone. */
async function madeBy(deps: Deps, issuer: Issuer, card: Card): Promise<IssuerCard | undefined> {
  if (card.card_ref !== null) return issuer.card(card.card_ref)
  const known = await issuer.cardByKey(keyOf(card))
  if (known) return known
  const holder = await holderFor(deps, issuer, card.user_id)
  if (holder === undefined) return undefined
  const old = card.replaces === null ? undefined : await cardById(deps.db, card.replaces)
  const why = card.change_why === 'lost' ? 'lost' : card.change_why === 'expired' ? 'expired' : 'risk'
  return issuer.createCard({
    key: keyOf(card),
    holderRef: holder,
    type: card.type,
    months: card.months,
    monthlyCeiling: minorOf(parseUsd((await deps.settings.get(spendingLimits)).issuer)),
    ...(old?.card_ref ? { replaces: { cardRef: old.card_ref, why } } : {}),
  })
}

async function holderFor(deps: Deps, issuer: Issuer, userId: string): Promise<string | undefined> {
  const known = await holderRef(deps.db, issuer.name, userId)
  if (known !== undefined) return known
  const holder = await holderOf(deps, userId)
  if (!holder) return undefined
  const { holderRef: ref } = await issuer.createHolder({ key: `holder:${userId}`, ...holder })
  await keepHolder(deps.db, issuer.name, userId, ref)
  return ref
}

async function settle(deps: Deps, id: string, made: IssuerCard | undefined): Promise<void> {
  const holder = made ? await printed(deps, id) : ''
  await transact(deps.db, SYSTEM, async (tx) => {
    // The order before the card, the old card before the new one: everybody locks them in this order.
    const { order_no: orderNo, replaces } = (await cardById(tx, id))!
    // Given back while the issuer was asked: what has been made ends at once, and nothing ends for it.
    const isBack = orderNo !== null && (await lockOrderNo(tx, orderNo)) === 'refunded'
    if (made?.state === 'active' && orderNo !== null && !isBack) await completeOrder(tx, orderNo)
    if (replaces !== null) await lockCard(tx, replaces)
    const card = await lockCard(tx, id)
    if (card.state !== 'opening') return
    await tx.audit('card.settled', `card:${id}`, { state: made?.state ?? 'no holder', last4: made?.last4 ?? '' })
    if (!made || made.state === 'failed') return failed(tx, card, made?.reason ?? 'holder_missing', isBack)
    const facts = { card_ref: made.cardRef, bin: made.bin, last4: made.last4, exp_month: made.expMonth, exp_year: made.expYear, holder }
    if (made.state === 'opening') return void (await changeCard(tx, card, facts, { seconds: pause(card.checks) }))
    await activate(deps, tx, card, made, facts, isBack)
    crashPoint('cards.open-before-commit')
  })
}

async function printed(deps: Deps, id: string): Promise<string> {
  const card = (await cardById(deps.db, id))!
  const holder = await holderOf(deps, card.user_id)
  return holder ? `${holder.firstName} ${holder.lastName}`.toUpperCase() : ''
}

async function failed(tx: Tx, card: Card, reason: string, isBack: boolean): Promise<void> {
  const now = await changeCard(tx, card, { state: 'failed', fail_reason: nameOf(reason) }, { seconds: null, reason })
  if (isBack) return endCard(tx, now)
  await tx.emit('card.open_failed', { cardId: card.id, userId: card.user_id, reason: nameOf(reason) })
}

/** The issuer's words as a name for a text. */
const nameOf = (reason: string) =>
  reason
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)

type Facts = Pick<Card, 'bin' | 'last4' | 'holder'> & { card_ref: string; exp_month: number; exp_year: number }

async function activate(deps: Deps, tx: Tx, card: Card, made: IssuerCard, facts: Facts, isBack: boolean): Promise<void> {
  // Until its last month is over, in UTC; whatever is no renewal not longer than the card before it.
  const printed = new Date(Date.UTC(made.expYear, made.expMonth, 1))
  const before = card.replaces === null || card.change_why === 'expired' ? null : (await cardById(tx, card.replaces))!.valid_until
  const validUntil = before && before < printed ? before : printed
  const now = deps.clock.now()
  const change = {
    ...facts,
    state: 'active' as const,
    issuer_state: made.state === 'active' ? ('active' as const) : card.issuer_state,
    valid_until: validUntil,
    opened_at: now,
    checks: 0,
  }
  const active = await changeCard(tx, card, change, { seconds: null, reason: card.change_why ?? 'opened' })
  if (isBack) return endCard(tx, active)
  const member = await memberOf(tx, card.user_id)
  if (member?.chosen_card == null || member.chosen_card === card.replaces) await chooseCard(tx, card.user_id, card.id)
  const news = { cardId: card.id, userId: card.user_id, last4: made.last4, type: card.type, replaces: card.replaces ?? '' }
  if (card.replaces !== null) {
    await inheritMonths(tx, card.id, card.replaces)
    await endOld(tx, card)
  }
  await tx.emit('card.opened', news)
}

/** What it replaces ends: its balance follows, what was authorised on it is still captured there. */
async function endOld(tx: Tx, card: Card): Promise<void> {
  const old = await lockCard(tx, card.replaces!)
  const why = card.change_why === 'lost' ? 'lost' : card.change_why === 'expired' ? 'expired' : 'replaced'
  if (old.state === 'active' || old.state === 'frozen')
    await changeCard(tx, old, { state: 'closing', close_reason: why, replaced_by: card.id, issuer_wanted: 'frozen' }, { seconds: 0, reason: why })
  else await changeCard(tx, old, { replaced_by: card.id })
}

const pause = (checks: number): number => Math.min(2 * 2 ** Math.min(checks, 10), 600)
