import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { maxNano, minNano, subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readBalance, readDebt, resizeHold } from '#features/wallet/server/door.ts'
import { setTakenAmount, selectOpenWithdrawal, scheduleWithdrawal } from './data.ts'
import type { WithdrawalRow } from './data.ts'
import { lockWithdrawalOfRefund, detachPart } from './data-parts.ts'

/** Longest time that the money of a withdrawal is held; every change of the hold restarts it. */
export const WITHDRAWAL_HOLD_SECONDS = 90 * 86_400

/** It waits for the ends of its refunds, and its transfer has not left. */
export const isAwaitingRefunds = (row: WithdrawalRow) => row.state === 'in_transit' && row.sent_tx === null

/** Share of a withdrawal from the balance that can still leave, and the share that its user's debt (of the balance or a card), or a payment charged back, takes. */
export function computeLeaving(row: WithdrawalRow, held: Nano, owed: Nano): { leaving: Nano; taken: Nano } {
  const leaving = maxNano(subtractNano(held, owed), 0n)
  return { leaving, taken: maxNano(subtractNano(subtractNano(row.amount_nano, row.channel_nano), leaving), 0n) }
}

/**
 * Before any of a withdrawal leaves, or is free again, its hold pays what the user owes; what it has lost is kept with it. Returns
 * what is still held. The withdrawal is locked before, and orders are; this locks the user's accounts. Errors: HOLD_CLOSED, HOLD_UNKNOWN.
 */
export async function payDebtFromHold(tx: Tx, row: WithdrawalRow): Promise<{ row: WithdrawalRow; held: Nano }> {
  const no = row.withdrawal_no
  const { uncaptured } = await resizeHold(tx, no, 0n)
  const { leaving, taken } = computeLeaving(row, uncaptured, await readDebt(tx, row.user_id))
  if (leaving < uncaptured) await resizeHold(tx, no, subtractNano(leaving, uncaptured))
  if (taken === row.taken_nano) return { row, held: leaving }
  await setTakenAmount(tx, row.id, taken)
  await tx.audit('withdrawal.taken', `withdrawal:${no}`, { taken: formatUsd(taken), left: formatUsd(leaving) })
  return { row: { ...row, taken_nano: taken }, held: leaving }
}

/**
 * Bought money that waits to leave pays for a payment that is charged back, before a gift does: what `needed` lacks is taken out of the
 * hold of the user's withdrawal. Only the accounts are locked, for the caller has the order's row.
 */
export async function reduceWithdrawal(tx: Tx, userId: string, needed: Nano): Promise<void> {
  const row = await selectOpenWithdrawal(tx, userId)
  if (!row || row.source !== 'balance' || row.sent_tx !== null) return
  try {
    await tx.savepoint(async () => {
      const { uncaptured } = await resizeHold(tx, row.withdrawal_no, 0n)
      const short = minNano(maxNano(subtractNano(needed, (await readBalance(tx, userId)).withdrawable), 0n), uncaptured)
      if (short > 0n) await resizeHold(tx, row.withdrawal_no, subtractNano(0n, short))
    })
  } catch (error) {
    // It has left, or ended, meanwhile.
    if (!(error instanceof Failure) || (error.errorName !== 'HOLD_CLOSED' && error.errorName !== 'HOLD_UNKNOWN')) throw error
  }
}

/**
 * A refund has ended. When it is a part of a withdrawal, that one is locked and looked at next. Call it before anything is
 * posted: a withdrawal's row is locked before the accounts of its user.
 */
export async function lockRefundedWithdrawal(tx: Tx, refundId: bigint): Promise<WithdrawalRow | undefined> {
  const row = await lockWithdrawalOfRefund(tx, refundId)
  if (row && isAwaitingRefunds(row)) await scheduleWithdrawal(tx, row.id, 0)
  return row
}

/**
 * The money of such a refund is the user's again: it goes back into the hold before anything can spend it, and leaves by
 * transfer. What a debt took on the way is not there. After the transfer has left it stays in the balance.
 */
export async function restorePart(tx: Tx, row: WithdrawalRow, refundId: bigint): Promise<void> {
  const amount = await detachPart(tx, refundId)
  if (amount === undefined || !isAwaitingRefunds(row)) return
  await resizeHold(tx, row.withdrawal_no, amount, { atLeast: 1n, ttlSeconds: WITHDRAWAL_HOLD_SECONDS })
}
