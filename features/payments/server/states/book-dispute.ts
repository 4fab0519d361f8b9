import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { maxNano, minNano, subtractNano, sumNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import {
  readBalance,
  postTransaction,
  refundTransaction as giveBack,
  systemAccount,
  sumTakenFromLots,
  requireTransactionId,
  readUnspentCredit,
  userAccount,
} from '#features/wallet/server/door.ts'
import type { Balance, Leg, TransactionKey } from '#features/wallet/server/door.ts'
import type { OrderRow } from '../data.ts'
import { reduceWithdrawal } from '../set-aside/parts.ts'
import type { DisputeRow } from './data-refunds.ts'

/** All postings of disputes. Dollars; each is posted once per reference. */

export interface Claw {
  /** The channel's reference of the dispute, and the number of the posting, from 1. */
  readonly dispute: string
  readonly posting: number
  readonly before: Nano
  readonly after: Nano
  readonly feeBefore: Nano
  readonly feeAfter: Nano
}
const DISPUTE_KIND = 'dispute'
const formatClawRef = ({ dispute }: Claw, posting: number) => `${dispute}:${posting}`

/**
 * Legs that return an amount of a dispute: first the owed part, as money, then the lots that paid it, in reverse order, so that a gift
 * stays a gift.
 */
async function buildReleaseLegs(tx: Tx, order: OrderRow, { claw, amount }: { readonly claw: Claw; readonly amount: Nano }): Promise<Leg[]> {
  const way = { from: systemAccount('wash'), to: userAccount(order.userId) }
  const taken: { readonly of: TransactionKey; readonly left: Nano }[] = []
  for (let posting = claw.posting - 1; posting > 0; posting--) {
    const of: TransactionKey = { kind: DISPUTE_KIND, ref: formatClawRef(claw, posting) }
    taken.push({ of, left: await sumTakenFromLots(tx, of) })
  }
  const owed = subtractNano(claw.before, sumNano(taken.map(({ left }) => left)))
  const money = minNano(maxNano(owed, 0n), amount)
  const legs: Leg[] = [{ ...way, amount: money, lot: { kind: 'purchased', orderRef: order.orderNo } }]
  let rest = subtractNano(amount, money)
  for (const { of, left } of taken) {
    const part = minNano(left, rest)
    if (part > 0n) legs.push({ ...way, amount: part, undoes: await requireTransactionId(tx, of.kind, of.ref) })
    rest = subtractNano(rest, part)
  }
  return legs.filter((leg) => leg.amount > 0n)
}

/**
 * Moves the user's money held by a dispute from `before` to `after`, and the fee alongside. Purchased credit is taken first, so that a gift
 * never pays for money that can be withdrawn or waits to leave; a shortfall is owed and blocks spending (R5). This applies to services too:
 * the service was used, and its income stays.
 */
export async function bookClaw(tx: Tx, order: OrderRow, claw: Claw): Promise<void> {
  const ref = formatClawRef(claw, claw.posting)
  const down = subtractNano(claw.after, claw.before)
  const fee = subtractNano(claw.feeAfter, claw.feeBefore)
  const legs: Leg[] = [
    ...(fee > 0n ? [{ from: systemAccount('fees'), to: systemAccount('wash'), amount: fee }] : []),
    ...(fee < 0n ? [{ from: systemAccount('wash'), to: systemAccount('fees'), amount: subtractNano(0n, fee) }] : []),
  ]
  if (down < 0n) legs.push(...(await buildReleaseLegs(tx, order, { claw, amount: subtractNano(0n, down) })))
  if (down <= 0n) {
    if (legs.length) await postTransaction(tx, { kind: DISPUTE_KIND, ref, legs })
    return
  }
  await reduceWithdrawal(tx, order.userId, down)
  await withFreshBalance(tx, order.userId, async ({ withdrawable }) => {
    const own = minNano((await readUnspentCredit(tx, order.userId, { orderRef: order.orderNo })).purchased, withdrawable, down)
    const purchased = minNano(subtractNano(withdrawable, own), subtractNano(down, own))
    const rest = subtractNano(subtractNano(down, own), purchased)
    const from = userAccount(order.userId)
    const to = systemAccount('wash')
    const parts: Leg[] = [
      { from, to, amount: own, take: { kind: 'purchased', orderRef: order.orderNo } },
      { from, to, amount: purchased, take: { kind: 'purchased' } },
      { from, to, amount: rest, owe: true },
    ]
    await postTransaction(tx, { kind: DISPUTE_KIND, ref, legs: [...parts.filter(({ amount }) => amount > 0n), ...legs] })
  })
}

/** Charges the fee of a lost dispute in addition to its amount: from the balance, the rest owed. Returns the owed part. */
export async function bookDisputeFee(tx: Tx, order: OrderRow, { ref, fee }: { readonly ref: string; readonly fee: Nano }): Promise<Nano> {
  const [from, to] = [userAccount(order.userId), systemAccount('fees')]
  return withFreshBalance(tx, order.userId, async ({ available }) => {
    const paid = minNano(maxNano(available, 0n), fee)
    const owed = subtractNano(fee, paid)
    const legs: Leg[] = [
      { from, to, amount: paid },
      { from, to, amount: owed, owe: true },
    ]
    await postTransaction(tx, { kind: DISPUTE_FEE_KIND, ref, legs: legs.filter(({ amount }) => amount > 0n) })
    return owed
  })
}
const DISPUTE_FEE_KIND = 'dispute.fee'

/**
 * Reverses the fee of a dispute that was won after all: the owed part is returned as money, then the lots that paid for it are refilled.
 */
export async function returnDisputeFee(
  tx: Tx,
  order: OrderRow,
  { ref, disputeRow: { feeNano: fee, feeOwedNano: owed } }: { readonly ref: string; readonly disputeRow: DisputeRow },
): Promise<void> {
  const back = {
    userId: order.userId,
    amount: subtractNano(fee, owed),
    kind: 'dispute.fee_back',
    ref,
    of: { kind: DISPUTE_FEE_KIND, ref },
    from: 'fees',
  } as const
  if (owed > 0n)
    await postTransaction(tx, { kind: 'dispute.fee_unowed', ref, legs: [{ from: systemAccount('fees'), to: userAccount(order.userId), amount: owed }] })
  if (back.amount > 0n) await giveBack(tx, back)
}

/** Reserves the unspent gift of a payment until the ruling; once per dispute. */
export async function holdGift(tx: Tx, order: OrderRow, ref: string): Promise<void> {
  await withFreshBalance(tx, order.userId, async ({ available }) => {
    const amount = minNano((await readUnspentCredit(tx, order.userId, { orderRef: order.orderNo })).granted, maxNano(available, 0n))
    if (amount <= 0n) return
    const leg: Leg = { from: userAccount(order.userId), to: systemAccount('grants'), amount, take: { kind: 'granted', orderRef: order.orderNo } }
    await postTransaction(tx, { kind: GIFT_KIND, ref, legs: [leg] })
  })
}
const GIFT_KIND = 'bonus.held'

/**
 * Returns the gift after a won dispute. Call it after everything else of the dispute is returned: a gift must not pay for the payment that
 * brought it.
 */
export async function returnGift(tx: Tx, order: OrderRow, ref: string): Promise<void> {
  const of: TransactionKey = { kind: GIFT_KIND, ref }
  const amount = await sumTakenFromLots(tx, of)
  if (amount > 0n) await giveBack(tx, { userId: order.userId, amount, kind: 'bonus.returned', ref, of, from: 'grants' })
}

/** Posts against the current balance, and reads it again if a concurrent payment spent from it. */
async function withFreshBalance<T>(tx: Tx, userId: string, take: (has: Balance) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const has = await readBalance(tx, userId)
    try {
      return await tx.savepoint(() => take(has))
    } catch (error) {
      if (tries >= 5 || !(error instanceof Failure) || error.errorName !== 'INSUFFICIENT_FUNDS') throw error
    }
  }
}
