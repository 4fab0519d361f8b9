import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { OrderRow } from '../data.ts'
import type { TradeRow } from '../trades/data-attempts.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import { bookDisputeFee, holdGift, returnDisputeFee, returnGift } from '../states/book-dispute.ts'
import { selectOrderDisputes, insertDispute, storeDisputeFee, moveDispute, setDisputeDue } from '../states/data-refunds.ts'
import type { DisputeRow } from '../states/data-refunds.ts'
import type { ChannelDispute } from '../vendors/port.ts'
import { restateOrder } from '../states/restate-order.ts'
import { emitOrderEvent } from '../states/emit-order-event.ts'

/**
 * Applies a dispute of a payment as reported by the channel's query: opened, then won or lost, each once. A lost dispute costs the payer
 * `fee` beside the amount. The order must be locked.
 */
export async function settleDispute(
  tx: Tx,
  order: OrderRow,
  { trade, fact, fee }: { readonly trade: TradeRow; readonly fact: ChannelDispute; readonly fee: Nano },
): Promise<OrderRow> {
  const receipt = (await selectReceipts(tx, order.id)).find((each) => each.channelType === trade.channelType && each.channelTxn === fact.channelTxn)
  if (!receipt) return order
  const facts = { payAmount: formatMinor(fact.minor), payCurrency: fact.currency, channelTxn: fact.channelTxn }
  const { channelType } = trade
  const fresh = await insertDispute(tx, {
    channelType,
    disputeId: fact.disputeId,
    orderId: order.id,
    receiptId: receipt.id,
    minor: fact.minor,
    currency: fact.currency,
  })
  if (fact.dueAt) await setDisputeDue(tx, channelType, { disputeId: fact.disputeId, dueAt: fact.dueAt })
  let moved = order
  if (fresh) {
    countEvent('payments.disputed')
    moved = await restateOrder(tx, moved, { reason: `dispute ${fact.disputeId}`, event: 'disputed', facts })
    await holdGift(tx, order, formatDisputeRef(fresh))
    await emitOrderEvent(tx, order, { event: 'order.disputed', more: { ...facts, disputeFee: formatUsd(fee) } })
  }
  const dispute = fresh ?? (await selectOrderDisputes(tx, order.id)).find((each) => each.channelType === channelType && each.disputeId === fact.disputeId)
  if (!dispute || fact.status === 'open' || fact.status === dispute.state) return moved
  if (!(await moveDispute(tx, dispute, fact.status))) return moved
  const charged = fact.status === 'lost' ? await chargeDisputeFee(tx, order, { dispute, fee }) : {}
  moved = await restateOrder(tx, moved, {
    reason: `dispute ${fact.disputeId} ${fact.status}`,
    event: fact.status === 'won' ? 'dispute_won' : 'dispute_lost',
    facts: {
      ...facts,
      ...charged,
    },
  })
  // Return the disputed amount first: otherwise the refilled lots would pay the debt of that amount.
  if (fact.status === 'won') {
    if (dispute.feeNano > 0n) await returnDisputeFee(tx, order, { ref: formatDisputeRef(dispute), disputeRow: dispute })
    await returnGift(tx, order, formatDisputeRef(dispute))
  }
  await emitOrderEvent(tx, order, { event: 'order.dispute_closed', more: { ...facts, ...charged, won: fact.status === 'won' } })
  return moved
}

/** Charge the fee after the disputed amount, so that the remaining balance pays the amount first. */
async function chargeDisputeFee(
  tx: Tx,
  order: OrderRow,
  { dispute, fee }: { readonly dispute: DisputeRow; readonly fee: Nano },
): Promise<{ disputeFee?: string }> {
  if (fee <= 0n) return {}
  await storeDisputeFee(tx, dispute.id, { fee, owed: await bookDisputeFee(tx, order, { ref: formatDisputeRef(dispute), fee }) })
  return { disputeFee: formatUsd(fee) }
}

/** Lost at most once: a won dispute cannot be lost later (edges of the database). */
const formatDisputeRef = ({ channelType, disputeId }: DisputeRow) => `${channelType}:${disputeId}`
