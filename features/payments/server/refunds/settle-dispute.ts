import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { minorText } from '#platform/shared/money.ts'
import type { OrderRow } from '../data.ts'
import type { TradeRow } from '../paying/data-attempts.ts'
import { receiptsOf } from '../paying/data-receipts.ts'
import { disputesOf, insertDispute, moveDispute } from './data.ts'
import type { Dispute } from '../vendors/port.ts'
import { restateOrder } from '../orders/restate-order.ts'
import { tellOrder } from '../orders/tell-order.ts'

/**
 * A payment that the payer's bank wants back, as the channel's own query states it: opened, then won or lost, each once.
 * The order must be locked.
 */
export async function settleDispute(tx: Tx, order: OrderRow, trade: TradeRow, fact: Dispute): Promise<OrderRow> {
  const receipt = (await receiptsOf(tx, order.id)).find((each) => each.channel_type === trade.channel_type && each.channel_txn === fact.channelTxn)
  if (!receipt) return order
  const facts = { payAmount: minorText(fact.minor), payCurrency: fact.currency, channelTxn: fact.channelTxn }
  const { channel_type: channelType } = trade
  const fresh = await insertDispute(tx, {
    channelType,
    disputeId: fact.disputeId,
    orderId: order.id,
    receiptId: receipt.id,
    minor: fact.minor,
    currency: fact.currency,
  })
  let moved = order
  if (fresh) {
    countEvent('payments.disputed')
    moved = await restateOrder(tx, moved, `dispute ${fact.disputeId}`, 'disputed', facts)
    await tellOrder(tx, order, 'order.disputed', facts)
  }
  const dispute = fresh ?? (await disputesOf(tx, order.id)).find((each) => each.channel_type === channelType && each.dispute_id === fact.disputeId)
  if (!dispute || fact.status === 'open' || fact.status === dispute.state) return moved
  if (!(await moveDispute(tx, dispute, fact.status))) return moved
  moved = await restateOrder(tx, moved, `dispute ${fact.disputeId} ${fact.status}`, fact.status === 'won' ? 'dispute_won' : 'dispute_lost', facts)
  await tellOrder(tx, order, 'order.dispute_closed', { ...facts, won: fact.status === 'won' })
  return moved
}
