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

/** True while its refunds are in progress and its transfer has not been sent. */
export const isAwaitingRefunds = (row: WithdrawalRow) => row.state === 'in_transit' && row.sentTx === null

/**
 * Share of a withdrawal from the balance that can still leave, and the share taken by its user's debt (of the balance or a card), or by a
 * charged-back payment.
 */
export function computeLeaving(row: WithdrawalRow, held: Nano, owed: Nano): { leaving: Nano; taken: Nano } {
  const leaving = maxNano(subtractNano(held, owed), 0n)
  return { leaving, taken: maxNano(subtractNano(subtractNano(row.amountNano, row.channelNano), leaving), 0n) }
}

/**
 * Pays the user's debts out of a withdrawal's hold before any of it leaves or is released, and records the sum taken. Returns the remaining
 * hold. The caller must lock the withdrawal and its orders; this locks the user's accounts. Errors: HOLD_CLOSED, HOLD_UNKNOWN.
 */
export async function payDebtFromHold(tx: Tx, row: WithdrawalRow): Promise<{ row: WithdrawalRow; held: Nano }> {
  const no = row.withdrawalNo
  const { uncaptured } = await resizeHold(tx, no, { delta: 0n })
  const { leaving, taken } = computeLeaving(row, uncaptured, await readDebt(tx, row.userId))
  if (leaving < uncaptured) await resizeHold(tx, no, { delta: subtractNano(leaving, uncaptured) })
  if (taken === row.takenNano) return { row, held: leaving }
  await setTakenAmount(tx, row.id, taken)
  await tx.audit('withdrawal.taken', `withdrawal:${no}`, { taken: formatUsd(taken), left: formatUsd(leaving) })
  return { row: { ...row, takenNano: taken }, held: leaving }
}

/**
 * Takes the part missing from `needed` out of the hold of the user's withdrawal, so that purchased credit pays for a charged-back payment
 * before a gift does. Locks only the accounts, because the caller has locked the order's row.
 */
export async function reduceWithdrawal(tx: Tx, userId: string, needed: Nano): Promise<void> {
  const row = await selectOpenWithdrawal(tx, userId)
  if (!row || row.source !== 'balance' || row.sentTx !== null) return
  try {
    await tx.savepoint(async () => {
      const { uncaptured } = await resizeHold(tx, row.withdrawalNo, { delta: 0n })
      const short = minNano(maxNano(subtractNano(needed, (await readBalance(tx, userId)).withdrawable), 0n), uncaptured)
      if (short > 0n) await resizeHold(tx, row.withdrawalNo, { delta: subtractNano(0n, short) })
    })
  } catch (error) {
    // Another process has sent or ended it.
    if (!(error instanceof Failure) || (error.errorName !== 'HOLD_CLOSED' && error.errorName !== 'HOLD_UNKNOWN')) throw error
  }
}

/**
 * Locks the withdrawal that an ended refund is a part of, and makes it due. Call it before any posting: a withdrawal's row is locked before
 * the accounts of its user.
 */
export async function lockRefundedWithdrawal(tx: Tx, refundId: bigint): Promise<WithdrawalRow | undefined> {
  const row = await lockWithdrawalOfRefund(tx, refundId)
  if (row && isAwaitingRefunds(row)) await scheduleWithdrawal(tx, row.id, 0)
  return row
}

/**
 * Returns the money of a failed part to the hold before it can be spent, so that it leaves by transfer. The part that a debt took is not
 * returned. If the transfer has already left, the money stays in the balance.
 */
export async function restorePart(tx: Tx, row: WithdrawalRow, refundId: bigint): Promise<void> {
  const amount = await detachPart(tx, refundId)
  if (amount === undefined || !isAwaitingRefunds(row)) return
  await resizeHold(tx, row.withdrawalNo, { delta: amount, options: { atLeast: 1n, ttlSeconds: WITHDRAWAL_HOLD_SECONDS } })
}
