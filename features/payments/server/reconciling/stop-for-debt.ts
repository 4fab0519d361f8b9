import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { settleDebts } from '#features/wallet/server/door.ts'
import type { OrderRow } from '../data.ts'
import { restartPart } from '../withdrawals/channel-first.ts'
import { lockWithdrawalOfRefund } from '../set-aside/data-parts.ts'
import { failRefund } from '../refunds/conclude-refund.ts'
import type { RefundRow } from '../states/data-refunds.ts'
import { startRefund } from '../refunds/start-refund.ts'

/**
 * The last gate before a refund is sent. Where its user has come to owe since its money was set aside, it ends, and the money pays the debt:
 * unspent credit is back in the balance, and of a withdrawal's part the rest leaves the same way; income becomes balance. Money in suspense
 * was never the user's. The order must be locked. True: it has ended.
 */
export async function stopForDebt(deps: Deps, tx: Tx, order: OrderRow, refund: RefundRow): Promise<boolean> {
  if (refund.source !== 'balance' && refund.source !== 'revenue') return false
  // a withdrawal's row comes before the accounts of its user
  const withdrawal = await lockWithdrawalOfRefund(tx, refund.id)
  if ((await settleDebts(tx, order.user_id)) === 0n) return false
  const failed = await failRefund(tx, order, refund, 'what is owed comes first')
  if (withdrawal) await restartPart(deps, tx, withdrawal.id, failed)
  else if (refund.source === 'revenue') {
    const { amount_nano: amount, reason } = refund
    await startRefund(tx, failed, { amount, withFee: refund.fee_nano > 0n, goesTo: 'balance', reason, state: 'approved', sources: ['revenue'] })
  }
  return true
}
