import type { Tx } from '#platform/server/database/transact.ts'
import { resizeHold } from '#features/wallet/server/door.ts'
import { scheduleWithdrawal } from './data.ts'
import type { WithdrawalRow } from './data.ts'
import { lockWithdrawalOfRefund, losePart } from './data-parts.ts'

/** How long the money of a withdrawal is held at most; every change of the hold begins it anew. */
export const HOLD_SECONDS = 90 * 86_400

/** It waits for the ends of its refunds, and its transfer has not left. */
export const isWaiting = (row: WithdrawalRow) => row.state === 'in_transit' && row.sent_tx === null

/**
 * A refund has ended. When it is a part of a withdrawal, that one is locked and looked at next. Call it before anything is
 * posted: a withdrawal's row is locked before the accounts of its user.
 */
export async function refundOfWithdrawal(tx: Tx, refundId: bigint): Promise<WithdrawalRow | undefined> {
  const row = await lockWithdrawalOfRefund(tx, refundId)
  if (row && isWaiting(row)) await scheduleWithdrawal(tx, row.id, 0)
  return row
}

/**
 * The money of such a refund is the user's again: it goes back into the hold before anything can spend it, and leaves by
 * transfer. What a debt took on the way is not there. After the transfer has left it stays in the balance.
 */
export async function regainPart(tx: Tx, row: WithdrawalRow, refundId: bigint): Promise<void> {
  const amount = await losePart(tx, refundId)
  if (amount === undefined || !isWaiting(row)) return
  await resizeHold(tx, row.withdrawal_no, amount, { atLeast: 1n, ttlSeconds: HOLD_SECONDS })
}
