import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { asSupplierError, rejectedError, retryableError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { planRetry } from '#platform/shared/suppliers/supplier-retry.ts'
import { pick } from '#platform/shared/pick.ts'
import { readCardholder } from '#features/identity/server/door.ts'
import { completeOrder, lockOrderByNo } from '#features/payments/server/door.ts'
import { OPEN_REASONS } from '../../words.ts'
import type { OpenReason } from '../../words.ts'
import { nanoToCents } from '../figures.ts'
import { selectCardById, changeCard, lockCard, markCardStuck, scheduleCard } from '../cards/data.ts'
import { moveMonthsToCard } from '../cards/data-months.ts'
import type { Card } from '../cards/data.ts'
import { computeBackoffSeconds } from '../backoff.ts'
import { findIssuer } from '../vendors/index.ts'
import { openingPaused, spendingLimits } from '../settings.ts'
import type { IssuerAddress, Issuer, IssuerCard } from '../vendors/port.ts'
import { updateChosenCard, selectMember } from '../members/data.ts'
import { buildHolderCall } from './choose-issuer.ts'
import { deleteOpeningWait, upsertIssuerHolder, selectIssuerHolder, upsertOpeningWait } from './data.ts'
import { parseIssuerReason, rejectOpening } from './reject-opening.ts'
import type { Rejection } from './reject-opening.ts'
import { endCard } from './take-back.ts'

/** Retry interval during a refund: one that waits for an operator or a bank may still be refused. */
const REFUNDING_SECONDS = 60

/** Key of an attempt: one card at the issuer, however often it is requested. */
export const buildAttemptKey = (card: Card) => `${card.id}:${card.attempt}`

/**
 * Requests a card from the issuer, once: if the response is lost, the key finds the card. A refusal ends the order; other failures are
 * retried or queried for a day. After that no card is made any more, and an opening whose card certainly does not exist ends as well.
 */
export async function openCard(deps: Deps, card: Card): Promise<void> {
  const issuer = findIssuer(deps, card.issuer)
  if (!issuer) return postpone(deps, card, { failed: retryableError('issuer_away', 'not connected', { ours: true }), isAnswered: false })
  if (card.state === 'requested') {
    if ((await deps.settings.get(openingPaused)).paused && card.replaces === null) return scheduleCard(deps.db, card.id, 300)
    if (!(await begin(deps, card))) return
  }
  crashPoint('cards.open-before-call')
  let made: IssuerCard | undefined
  let isAnswered = false
  try {
    const known = await findMadeCard(issuer, card)
    isAnswered = true
    made = known ?? (await makeCard(deps, issuer, (await selectCardById(deps.db, card.id))!))
  } catch (error) {
    const failed = asSupplierError(error)
    // A refused query does not decide whether the card was made
    if (failed.kind !== 'rejected' || !isAnswered) return postpone(deps, card, { failed, isAnswered })
    return settle(deps, card.id, { refused: { reason: parseOpenReason(failed.reason), detail: failed.detail, byIssuer: failed.reason !== 'data_missing' } })
  }
  crashPoint('cards.open-after-call')
  await settle(deps, card.id, { made })
}

const parseOpenReason = (reason: string): OpenReason => OPEN_REASONS.find((one) => one === reason) ?? 'other'

/**
 * `isAnswered`: in this attempt the issuer has confirmed that no card exists under its key. Before that, one whose response was lost may
 * exist.
 */
async function postpone(deps: Deps, card: Card, { failed, isAnswered }: { readonly failed: SupplierError; readonly isAnswered: boolean }): Promise<void> {
  const kind = !isAnswered && card.stuck === 'unknown' ? 'unknown' : failed.kind === 'rejected' ? 'retryable' : failed.kind
  countEvent(kind === 'unknown' ? 'cards.open_unknown' : 'cards.open_retried')
  deps.log.warn({ cardId: card.id, kind, why: failed.message, ours: failed.ours }, 'an issuer made no card yet')
  const plan = planRetry({ kind, tries: card.checks, since: card.askedAt, now: card.now, retryAfterSeconds: failed.retryAfterSeconds })
  if (plan.isOver) return settle(deps, card.id, { refused: { reason: 'issuer_away', detail: failed.message, byIssuer: false } })
  await markCardStuck(deps.db, card.id, { stuck: kind, seconds: plan.seconds })
  if (plan.needsOperator) await upsertOpeningWait(deps.db, card, failed)
}

/** Begins an attempt. Returns false while the order is being refunded; the lock of the order serializes the two. */
async function begin(deps: Deps, { id, orderNo }: Card): Promise<boolean> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const order = orderNo === null ? undefined : await lockOrderByNo(tx, orderNo)
    const card = await lockCard(tx, id)
    if (card.state !== 'requested') return card.state === 'opening'
    await tx.audit('card.opening', `card:${id}`, { attempt: card.attempt, ...(order ? { order } : {}) })
    if (order === 'refunding') await changeCard(tx, card, { change: {}, options: { seconds: REFUNDING_SECONDS } })
    else if (order === 'refunded') await endCard(tx, card)
    else return (await changeCard(tx, card, { change: { state: 'opening', checks: 0 }, options: { seconds: 15 } })).state === 'opening'
    return false
  })
}

/** Finds the card that was already made; undefined if the issuer reports none. */
const findMadeCard = (issuer: Issuer, card: Card): Promise<IssuerCard | undefined> =>
  card.cardRef === null ? issuer.cardByKey(buildAttemptKey(card)) : issuer.card(card.cardRef)

const DAY_MS = 86_400_000

async function makeCard(deps: Deps, issuer: Issuer, card: Card): Promise<IssuerCard> {
  // Issuers forget keys after a day: repeating the call might create a second card.
  if (card.now.getTime() - card.askedAt.getTime() >= DAY_MS) throw retryableError('issuer_away', 'no card within a day')
  const holderRef = await ensureHolder(deps, issuer, card.userId)
  const old = card.replaces === null ? undefined : await selectCardById(deps.db, card.replaces)
  const why = card.changeWhy === 'lost' ? 'lost' : card.changeWhy === 'expired' ? 'expired' : 'risk'
  return issuer.createCard({
    key: buildAttemptKey(card),
    holderRef,
    type: card.type,
    months: card.months,
    monthlyCeiling: nanoToCents(parseUsd((await deps.settings.get(spendingLimits)).issuer)),
    ...(old?.cardRef ? { replaces: { cardRef: old.cardRef, why } } : {}),
  })
}

async function ensureHolder(deps: Deps, issuer: Issuer, userId: string): Promise<string> {
  const { holderRef: known, generation } = await selectIssuerHolder(deps.db, issuer.name, userId)
  if (known !== null) return known
  const holder = await readCardholder(deps, userId)
  if (!holder) throw rejectedError('data_missing', 'the holder’s data are gone')
  const key = generation === 0 ? `holder:${userId}` : `holder:${userId}:${generation}`
  const { holderRef } = await issuer.createHolder(await buildHolderCall(deps, issuer, { key, holder }))
  await upsertIssuerHolder(deps.db, issuer.name, { userId, ref: holderRef })
  return holderRef
}

type Outcome = { readonly made: IssuerCard } | { readonly refused: Rejection }

/** Reason of a final failure: a refused call, or a card that the issuer made and failed. */
const findRejection = (outcome: Outcome): Rejection | undefined => {
  if ('refused' in outcome) return outcome.refused
  const { state, reason = '' } = outcome.made
  return state === 'failed' ? { reason: parseIssuerReason(reason), detail: reason, byIssuer: true } : undefined
}

async function settle(deps: Deps, id: string, outcome: Outcome): Promise<void> {
  const made = 'made' in outcome ? outcome.made : undefined
  const rejection = findRejection(outcome)
  const holder = made ? await readPrintedName(deps, id) : ''
  await transact(deps.db, SYSTEM, async (tx) => {
    // Lock the order before the card, and the old card before the new one, in this order everywhere.
    const { orderNo, replaces } = (await selectCardById(tx, id))!
    // Refunded during the issuer call: the new card is closed at once, and the card that it was to replace stays.
    const isBack = orderNo !== null && (await lockOrderByNo(tx, orderNo)) === 'refunded'
    if (made?.state === 'active' && orderNo !== null && !isBack) await completeOrder(tx, orderNo)
    if (replaces !== null) await lockCard(tx, replaces)
    const card = await lockCard(tx, id)
    if (card.state !== 'opening' && !(card.state === 'requested' && rejection)) return
    await deleteOpeningWait(tx, card)
    await tx.audit('card.settled', `card:${id}`, { state: made?.state ?? 'refused', last4: made?.last4 ?? '' })
    if (rejection) return rejectOpening(deps, tx, { card, rejection, isBack })
    const facts = toCardFacts(made!, holder)
    if (made!.state === 'opening')
      return void (await changeCard(tx, card, { change: { ...facts, stuck: '' }, options: { seconds: computeBackoffSeconds(card.checks) } }))
    await activate(deps, tx, { card, made: made!, facts, isBack })
    crashPoint('cards.open-before-commit')
  })
}

function toCardFacts(made: IssuerCard, holder: string): CardFacts {
  const address = made.billing ? { address: made.billing, address_known: true } : {}
  return { ...pick(made, 'cardRef', 'bin', 'last4', 'expMonth', 'expYear'), holder, ...address }
}

async function readPrintedName(deps: Deps, id: string): Promise<string> {
  const card = (await selectCardById(deps.db, id))!
  const holder = await readCardholder(deps, card.userId)
  return holder ? `${holder.firstName} ${holder.lastName}`.toUpperCase() : ''
}

type CardFacts = Pick<Card, 'bin' | 'last4' | 'holder'> & {
  cardRef: string
  expMonth: number
  expYear: number
  address?: IssuerAddress
  addressKnown?: boolean
}

async function activate(
  deps: Deps,
  tx: Tx,
  { card, made, facts, isBack }: { readonly card: Card; readonly made: IssuerCard; readonly facts: CardFacts; readonly isBack: boolean },
): Promise<void> {
  // Valid to the end of its last month, in UTC; a replacement that is not a renewal ends no later than the card before it.
  const printed = new Date(Date.UTC(made.expYear, made.expMonth, 1))
  const before = card.replaces === null || card.changeWhy === 'expired' ? null : (await selectCardById(tx, card.replaces))!.validUntil
  const validUntil = before && before < printed ? before : printed
  const now = deps.clock.now()
  const change = {
    ...facts,
    state: 'active' as const,
    issuer_state: made.state === 'active' ? ('active' as const) : card.issuerState,
    valid_until: validUntil,
    opened_at: now,
    checks: 0,
    stuck: '' as const,
  }
  const active = await changeCard(tx, card, { change, options: { seconds: facts.addressKnown ? null : 0, reason: card.changeWhy ?? 'opened' } })
  if (isBack) return endCard(tx, active)
  const member = await selectMember(tx, card.userId)
  if (member?.chosenCard == null || member.chosenCard === card.replaces) await updateChosenCard(tx, card.userId, card.id)
  const news = { cardId: card.id, userId: card.userId, last4: made.last4, type: card.type, replaces: card.replaces ?? '' }
  if (card.replaces !== null) {
    await moveMonthsToCard(tx, card.id, card.replaces)
    await endReplacedCard(tx, card)
  }
  await tx.emit('card.opened', news)
}

/** Ends the replaced card: its balance moves over, and its authorisations are still captured there. */
async function endReplacedCard(tx: Tx, card: Card): Promise<void> {
  const old = await lockCard(tx, card.replaces!)
  const why = card.changeWhy === 'lost' ? 'lost' : card.changeWhy === 'expired' ? 'expired' : 'replaced'
  if (old.state === 'active' || old.state === 'frozen')
    await changeCard(tx, old, {
      change: { state: 'closing', closeReason: why, replacedBy: card.id, issuerWanted: 'frozen' },
      options: { seconds: 0, reason: why },
    })
  else await changeCard(tx, old, { change: { replacedBy: card.id } })
}
