import type { Sql } from '#platform/server/database/db.ts'
import { addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectOrderByNo } from '../data.ts'
import { selectRefunds } from '../states/data-refunds.ts'

export interface RefundSummary {
  /** Includes the refunded part of the fee. */
  readonly amount: Nano
  readonly goesTo: 'channel' | 'balance'
  readonly channelType: number
  readonly isDone: boolean
}

const ENDED_BADLY: readonly string[] = ['failed', 'rejected', 'reversed']

/** The newest refund of an order that is in progress or has arrived; undefined if there is none. */
export async function findLatestRefund(sql: Sql, orderNo: string): Promise<RefundSummary | undefined> {
  const order = await selectOrderByNo(sql, orderNo)
  const refund = order && (await selectRefunds(sql, order.id)).findLast(({ state }) => !ENDED_BADLY.includes(state))
  if (!refund) return undefined
  return {
    amount: addNano(refund.amountNano, refund.feeNano),
    goesTo: refund.goesTo,
    channelType: order.channelType,
    isDone: refund.state === 'succeeded',
  }
}
