import type { Sql } from '#platform/server/database/db.ts'
import { plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { orderByNo } from '../data.ts'
import { refundsOf } from '../states/data-refunds.ts'

export interface MoneyBack {
  /** With its fee, as far as that goes back. */
  readonly amount: Nano
  readonly goesTo: 'channel' | 'balance'
  readonly channelType: number
  readonly isDone: boolean
}

const ENDED_BADLY: readonly string[] = ['failed', 'rejected', 'reversed']

/** The newest refund of an order that is on its way or has arrived; undefined where nothing goes back. */
export async function moneyBackOf(sql: Sql, orderNo: string): Promise<MoneyBack | undefined> {
  const order = await orderByNo(sql, orderNo)
  const refund = order && (await refundsOf(sql, order.id)).findLast(({ state }) => !ENDED_BADLY.includes(state))
  if (!refund) return undefined
  return {
    amount: plus(refund.amount_nano, refund.fee_nano),
    goesTo: refund.goes_to,
    channelType: order.channel_type,
    isDone: refund.state === 'succeeded',
  }
}
