import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { atLeast, least, minus, sum } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { balanceOf, post, refund as giveBack, systemAccount, takenBy, transactionOf, unspentOf, userAccount } from '#features/wallet/server/door.ts'
import type { Balance, Leg, Undone } from '#features/wallet/server/door.ts'
import type { OrderRow } from '../data.ts'
import { cutWithdrawal } from '../set-aside/parts.ts'
import type { DisputeRow } from './data-refunds.ts'

/** Every posting of a dispute. Dollars; each happens once for its reference. */

export interface Claw {
  /** Of the channel, and which of its postings this is, from 1. */
  readonly dispute: string
  readonly posting: number
  readonly before: Nano
  readonly after: Nano
  readonly feeBefore: Nano
  readonly feeAfter: Nano
}
const DISPUTE = 'dispute'
const refOf = ({ dispute }: Claw, posting: number) => `${dispute}:${posting}`

/** Legs that give back an amount of a dispute: first the owed part, as money, then the lots that it took, the last ones first: a gift stays one. */
async function letGo(tx: Tx, order: OrderRow, claw: Claw, amount: Nano): Promise<Leg[]> {
  const way = { from: systemAccount('wash'), to: userAccount(order.user_id) }
  const taken: { readonly of: Undone; readonly left: Nano }[] = []
  for (let posting = claw.posting - 1; posting > 0; posting--) {
    const of: Undone = { kind: DISPUTE, ref: refOf(claw, posting) }
    taken.push({ of, left: await takenBy(tx, of) })
  }
  const owed = minus(claw.before, sum(taken.map(({ left }) => left)))
  const money = least(atLeast(owed, 0n), amount)
  const legs: Leg[] = [{ ...way, amount: money, lot: { kind: 'purchased', orderRef: order.order_no } }]
  let rest = minus(amount, money)
  for (const { of, left } of taken) {
    const part = least(left, rest)
    if (part > 0n) legs.push({ ...way, amount: part, undoes: await transactionOf(tx, of.kind, of.ref) })
    rest = minus(rest, part)
  }
  return legs.filter((leg) => leg.amount > 0n)
}

/**
 * Moves what a dispute holds of a user's money from `before` to `after`, and of the fee alongside. Purchased credit first,
 * so that a gift never pays for money that can be withdrawn, or waits to leave; what is not there is owed and blocks spending (R5). Of a
 * service too: it was had, and what it earned stays earned.
 */
export async function bookClaw(tx: Tx, order: OrderRow, claw: Claw): Promise<void> {
  const ref = refOf(claw, claw.posting)
  const down = minus(claw.after, claw.before)
  const fee = minus(claw.feeAfter, claw.feeBefore)
  const legs: Leg[] = [
    ...(fee > 0n ? [{ from: systemAccount('fees'), to: systemAccount('wash'), amount: fee }] : []),
    ...(fee < 0n ? [{ from: systemAccount('wash'), to: systemAccount('fees'), amount: minus(0n, fee) }] : []),
  ]
  if (down < 0n) legs.push(...(await letGo(tx, order, claw, minus(0n, down))))
  if (down <= 0n) {
    if (legs.length) await post(tx, { kind: DISPUTE, ref, legs })
    return
  }
  await cutWithdrawal(tx, order.user_id, down)
  await takeWhatIsThere(tx, order.user_id, async ({ withdrawable }) => {
    const own = least((await unspentOf(tx, order.user_id, order.order_no)).purchased, withdrawable, down)
    const purchased = least(minus(withdrawable, own), minus(down, own))
    const rest = minus(minus(down, own), purchased)
    const from = userAccount(order.user_id)
    const to = systemAccount('wash')
    const parts: Leg[] = [
      { from, to, amount: own, take: { kind: 'purchased', orderRef: order.order_no } },
      { from, to, amount: purchased, take: { kind: 'purchased' } },
      { from, to, amount: rest, owe: true },
    ]
    await post(tx, { kind: DISPUTE, ref, legs: [...parts.filter(({ amount }) => amount > 0n), ...legs] })
  })
}

/** Charges the fee of a lost dispute, beside its amount: from the balance, the rest owed. Returns the owed part. */
export async function bookDisputeFee(tx: Tx, order: OrderRow, ref: string, fee: Nano): Promise<Nano> {
  const [from, to] = [userAccount(order.user_id), systemAccount('fees')]
  return takeWhatIsThere(tx, order.user_id, async ({ available }) => {
    const paid = least(atLeast(available, 0n), fee)
    const owed = minus(fee, paid)
    const legs: Leg[] = [
      { from, to, amount: paid },
      { from, to, amount: owed, owe: true },
    ]
    await post(tx, { kind: DISPUTE_FEE, ref, legs: legs.filter(({ amount }) => amount > 0n) })
    return owed
  })
}
const DISPUTE_FEE = 'dispute.fee'

/** A dispute that was won after all costs nothing: what was owed is given as money, then the lots that paid for it are filled again. */
export async function returnDisputeFee(tx: Tx, order: OrderRow, ref: string, { fee_nano: fee, fee_owed_nano: owed }: DisputeRow): Promise<void> {
  const back = { userId: order.user_id, amount: minus(fee, owed), kind: 'dispute.fee_back', ref, of: { kind: DISPUTE_FEE, ref }, from: 'fees' } as const
  if (owed > 0n) await post(tx, { kind: 'dispute.fee_unowed', ref, legs: [{ from: systemAccount('fees'), to: userAccount(order.user_id), amount: owed }] })
  if (back.amount > 0n) await giveBack(tx, back)
}

/** Takes the unspent gift of a payment until the ruling; once a dispute. */
export async function holdGift(tx: Tx, order: OrderRow, ref: string): Promise<void> {
  await takeWhatIsThere(tx, order.user_id, async ({ available }) => {
    const amount = least((await unspentOf(tx, order.user_id, order.order_no)).granted, atLeast(available, 0n))
    if (amount <= 0n) return
    const leg: Leg = { from: userAccount(order.user_id), to: systemAccount('grants'), amount, take: { kind: 'granted', orderRef: order.order_no } }
    await post(tx, { kind: GIFT, ref, legs: [leg] })
  })
}
const GIFT = 'bonus.held'

/** The ruling was the payer's: so is the gift. After everything else of the dispute is back: a gift must not pay what it brought. */
export async function returnGift(tx: Tx, order: OrderRow, ref: string): Promise<void> {
  const of: Undone = { kind: GIFT, ref }
  const amount = await takenBy(tx, of)
  if (amount > 0n) await giveBack(tx, { userId: order.user_id, amount, kind: 'bonus.returned', ref, of, from: 'grants' })
}

/** Posts by the balance of this moment, and reads it again where a concurrent payment spent from it. */
async function takeWhatIsThere<T>(tx: Tx, userId: string, take: (has: Balance) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const has = await balanceOf(tx, userId)
    try {
      return await tx.savepoint(() => take(has))
    } catch (error) {
      if (tries >= 5 || !(error instanceof Failure) || error.errorName !== 'INSUFFICIENT_FUNDS') throw error
    }
  }
}
