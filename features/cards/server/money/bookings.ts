import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano, addNano, sumNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import {
  captureHold,
  cardAccount,
  readCardBalances,
  placeHold,
  postTransaction,
  refundTransaction,
  systemAccount,
  requireTransactionId,
  userAccount,
} from '#features/wallet/server/door.ts'
import type { Leg } from '#features/wallet/server/door.ts'
import { returnToRecharges } from './data.ts'
import type { Move, RechargePart } from './data.ts'

/** All postings of cards. Dollars; each is idempotent per reference. */

/** Longer than any issuer keeps an authorisation open: a hold ends with its object, never by timeout. */
export const CARD_HOLD_SECONDS = 400 * 86_400

const RECHARGE = 'card.recharge'

/** Debits a recharge from the balance: purchased credit only, granted credit never moves to a card. Errors: INSUFFICIENT_FUNDS. */
export async function bookRechargeSent(tx: Tx, { id, userId, amount }: Move): Promise<void> {
  const leg: Leg = { from: userAccount(userId), to: systemAccount('in_transit'), amount, take: { kind: 'purchased' } }
  await postTransaction(tx, { kind: RECHARGE, ref: id, legs: [leg] })
}

/** Credits a recharge to the card, less the fee of a first recharge. */
export async function bookRechargeLoaded(tx: Tx, { id, toCard: to, amount, fee }: Move): Promise<void> {
  const card = cardAccount(to!)
  const legs: Leg[] = [{ from: systemAccount('in_transit'), to: card, amount }]
  if (fee > 0n) legs.push({ from: card, to: systemAccount('fees'), amount: fee, owe: true })
  await postTransaction(tx, { kind: 'card.loaded', ref: id, legs })
}

/** Returns a recharge that the issuer did not take; restores its lots. */
export async function bookRechargeReturned(tx: Tx, { id, userId, amount }: Move): Promise<void> {
  await refundTransaction(tx, { userId, amount, kind: 'card.refused', ref: id, of: { kind: RECHARGE, ref: id }, from: 'in_transit' })
}

/** Holds a sum that leaves a card until the issuer confirms. Returns false when the balance is too low. */
export async function holdUnload(tx: Tx, id: string, { cardId, amount }: { readonly cardId: string; readonly amount: Nano }): Promise<boolean> {
  return (await placeHold(tx, { id, account: cardAccount(cardId), amount, ttlSeconds: CARD_HOLD_SECONDS, purpose: 'card.move' })).status === 'pending'
}

export async function bookWithdrawalUnloaded(tx: Tx, { id, amount }: Move): Promise<void> {
  await captureHold(tx, { holdId: id, amount, kind: 'card.unloaded', ref: id, to: systemAccount('in_transit') })
}

/** Books a sum into the balance, where it can be withdrawn again. */
export async function bookCardToBalance(tx: Tx, { id, userId, amount }: Move, parts: readonly RechargePart[]): Promise<void> {
  await postTransaction(tx, { kind: 'card.to_balance', ref: id, legs: await buildBalanceLegs(tx, userId, { amount, parts }) })
}

/** Legs that return a sum to the lots that the recharges took, so that it is still refundable to its payer; the rest becomes a new lot. */
async function buildBalanceLegs(tx: Tx, userId: string, { amount, parts }: { readonly amount: Nano; readonly parts: readonly RechargePart[] }): Promise<Leg[]> {
  const way = { from: systemAccount('in_transit'), to: userAccount(userId) }
  const legs: Leg[] = []
  for (const { id, part } of parts) legs.push({ ...way, amount: part, undoes: await requireTransactionId(tx, RECHARGE, id) })
  const rest = subtractNano(amount, sumNano(parts.map(({ part }) => part)))
  if (rest > 0n) legs.push({ ...way, amount: rest, lot: { kind: 'purchased' } })
  return legs
}

/** Moves a sum from a closed card, which no longer exists at the issuer, to the balance or to its replacement. */
export async function bookSweep(
  tx: Tx,
  ref: string,
  { cardId, to, amount }: { readonly cardId: string; readonly to: { userId: string } | { cardId: string }; readonly amount: Nano },
): Promise<void> {
  const transit = systemAccount('in_transit')
  const on =
    'userId' in to
      ? await buildBalanceLegs(tx, to.userId, { amount, parts: await returnToRecharges(tx, to.userId, amount) })
      : [{ from: transit, to: cardAccount(to.cardId), amount }]
  await postTransaction(tx, { kind: 'card.swept', ref, legs: [{ from: cardAccount(cardId), to: transit, amount }, ...on] })
}

export interface CardSpending {
  readonly cardId: string
  readonly ref: string
  readonly amount: Nano
  readonly fee: Nano
  readonly holdId: string | null
}

/**
 * Books a capture, which always succeeds: from its hold, then from the available balance, then as the card's debt. Returns the sum taken
 * from the hold.
 */
export async function bookCardSpending(tx: Tx, { cardId, ref, amount, fee, holdId }: CardSpending): Promise<Nano> {
  const [from, issuer, fees] = [cardAccount(cardId), systemAccount('issuer'), systemAccount('fees')]
  if (holdId === null) {
    const legs: Leg[] = [{ from, to: issuer, amount, owe: true }]
    if (fee > 0n) legs.push({ from, to: fees, amount: fee, owe: true })
    await postTransaction(tx, { kind: 'card.spent', ref, legs })
    return 0n
  }
  const over = { close: false, overReason: 'cleared above its authorisation' }
  const taken = (await captureHold(tx, { holdId, amount, kind: 'card.spent', ref, to: issuer, ...over })).fromHold
  if (fee <= 0n) return taken
  return addNano(taken, (await captureHold(tx, { holdId, amount: fee, kind: 'card.fee', ref, to: fees, ...over })).fromHold)
}

/** Books a merchant's refund, which pays the card's debt first. */
export async function bookRefund(
  tx: Tx,
  cardId: string,
  { ref, amount, fee }: { readonly ref: string; readonly amount: Nano; readonly fee: Nano },
): Promise<void> {
  const card = cardAccount(cardId)
  const legs: Leg[] = [{ from: systemAccount('issuer'), to: card, amount }]
  if (fee > 0n) legs.push({ from: card, to: systemAccount('fees'), amount: fee, owe: true })
  await postTransaction(tx, { kind: 'card.refund', ref, legs })
}

/** Books a refund that the merchant reversed; returns its fee too. */
export async function bookRefundReversal(
  tx: Tx,
  cardId: string,
  { ref, amount, fee }: { readonly ref: string; readonly amount: Nano; readonly fee: Nano },
): Promise<void> {
  const card = cardAccount(cardId)
  const legs: Leg[] = [{ from: card, to: systemAccount('issuer'), amount, owe: true }]
  if (fee > 0n) legs.push({ from: systemAccount('fees'), to: card, amount: fee })
  await postTransaction(tx, { kind: 'card.refund_reversed', ref, legs })
}

/** Books a fee of a card, as far as its balance covers it; the rest is debt. */
export async function bookCardFee(tx: Tx, cardId: string, { ref, amount }: { readonly ref: string; readonly amount: Nano }): Promise<void> {
  await postTransaction(tx, { kind: 'card.fee', ref, legs: [{ from: cardAccount(cardId), to: systemAccount('fees'), amount, owe: true }] })
}

/** Books the credit of a won dispute, or takes it back where it was given too early. */
export async function bookDispute(
  tx: Tx,
  cardId: string,
  { ref, amount, credited }: { readonly ref: string; readonly amount: Nano; readonly credited: boolean },
): Promise<void> {
  const [card, issuer] = [cardAccount(cardId), systemAccount('issuer')]
  const leg: Leg = credited ? { from: issuer, to: card, amount } : { from: card, to: issuer, amount, owe: true }
  await postTransaction(tx, { kind: credited ? 'card.dispute_credit' : 'card.dispute_lost', ref, legs: [leg] })
}

/** Books an order that settled a card's debt: moves the sum out of our revenue. */
export async function bookDebtSettlement(
  tx: Tx,
  userId: string,
  { cardId, ref, debt, rest }: { readonly cardId: string; readonly ref: string; readonly debt: Nano; readonly rest: Nano },
): Promise<void> {
  const legs: Leg[] = []
  if (debt > 0n) legs.push({ from: systemAccount('revenue'), to: cardAccount(cardId, 'receivable'), amount: debt })
  if (rest > 0n) legs.push({ from: systemAccount('revenue'), to: userAccount(userId), amount: rest, lot: { kind: 'purchased' } })
  await postTransaction(tx, { kind: 'card.settled', ref, legs })
}

/** Books a deposit, which was paid with the opening order and is not revenue. */
export async function bookDeposit(tx: Tx, userId: string, { ref, amount }: { readonly ref: string; readonly amount: Nano }): Promise<void> {
  await postTransaction(tx, { kind: 'card.deposit', ref, legs: [{ from: systemAccount('revenue'), to: userAccount(userId, 'deposit'), amount }] })
}

/** Pays a card's remaining debt from the deposit that is being returned. */
export async function bookDebtFromDeposit(
  tx: Tx,
  userId: string,
  { cardId, ref, amount }: { readonly cardId: string; readonly ref: string; readonly amount: Nano },
): Promise<void> {
  const legs: Leg[] = [
    { from: userAccount(userId, 'deposit'), to: systemAccount('revenue'), amount },
    { from: systemAccount('revenue'), to: cardAccount(cardId, 'receivable'), amount },
  ]
  await postTransaction(tx, { kind: 'card.settled', ref, legs })
}

/** Returns the deposit to the balance with the last card, or to revenue for an order that is undone. */
export async function bookDepositReturn(
  tx: Tx,
  userId: string,
  { ref, amount, to }: { readonly ref: string; readonly amount: Nano; readonly to: 'customer' | 'revenue' },
): Promise<void> {
  const target = to === 'customer' ? userAccount(userId) : systemAccount('revenue')
  const lot = to === 'customer' ? { lot: { kind: 'purchased' as const } } : {}
  await postTransaction(tx, { kind: 'card.deposit_back', ref, legs: [{ from: userAccount(userId, 'deposit'), to: target, amount, ...lot }] })
}

/** Net balance of a card after a posting; negative: debt. */
export async function readNetCardBalance(tx: Tx, cardId: string): Promise<Nano> {
  const { posted, owed } = (await readCardBalances(tx, [cardId])).get(cardId)!
  return subtractNano(posted, owed)
}
