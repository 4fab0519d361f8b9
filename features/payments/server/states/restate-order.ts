import type { Tx } from '#platform/server/database/transact.ts'
import { maxNano, minNano, subtractNano, computePartShare, sumNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { LIVE_REFUNDS, PAID } from '../../words.ts'
import type { OrderEvent, OrderState } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import type { PaymentReceiptRow } from '../trades/data-receipts.ts'
import { bookClaw } from './book-dispute.ts'
import { selectOrderDisputes, selectRefunds, setClawed } from './data-refunds.ts'
import type { DisputeRow, RefundRow } from './data-refunds.ts'
import { resolveEarnings } from '../kinds/index.ts'

const UNSENT: readonly RefundRow['state'][] = ['requested', 'approved']

/** Dollars credited to the buyer for a payment: none while it is in suspense or being refunded. */
export function computeBroughtAmount(order: OrderRow, receipt: PaymentReceiptRow): Nano {
  if (receipt.resolvedNano !== null) return receipt.resolvedNano
  return receipt.outcome === 'suspense' || receipt.outcome === 'returning' ? 0n : order.amountNano
}

/** Second payments become balance, whatever the order type. */
export function resolveReceiptEarnings(order: OrderRow, receipt: PaymentReceiptRow): 'credit' | 'service' {
  return receipt.outcome !== 'again' && receipt.resolvedNano === null && resolveEarnings(order.orderType) === 'service' ? 'service' : 'credit'
}

/** The payment that paid the order; none if it was paid from the balance. */
export function findMainReceipt(receipts: readonly PaymentReceiptRow[]): PaymentReceiptRow | undefined {
  return receipts.find(({ outcome }) => outcome === 'credited' || outcome === 'late') ?? receipts[0]
}

/**
 * Derives the state of an order from its refunds and disputes alone, so that every order of arrival leads to the same state (W2). The order
 * must be locked.
 */
export async function restateOrder(
  tx: Tx,
  order: OrderRow,
  { reason, event, facts = {} }: { readonly reason: string; readonly event?: OrderEvent; readonly facts?: Readonly<Record<string, string>> },
): Promise<OrderRow> {
  const receipts = await selectReceipts(tx, order.id)
  const refunds = await selectRefunds(tx, order.id)
  const disputes = await updateClaws(tx, order, { receipts, refunds })
  const state = deriveState(order, receipts, { refunds, disputes })
  if (state === order.state) {
    if (event) await data.noteStep(tx, order, { event, reason, facts })
    return order
  }
  return data.moveOrder(tx, order, { to: state, reason, told: { ...(event ? { event } : {}), facts } })
}

function deriveState(
  order: OrderRow,
  receipts: readonly PaymentReceiptRow[],
  { refunds, disputes }: { readonly refunds: readonly RefundRow[]; readonly disputes: readonly DisputeRow[] },
): OrderState {
  const base = order.baseState
  if (!base || !(PAID.includes(order.state) || order.state === 'integrity_failure')) return order.state
  if (disputes.some(({ state }) => state === 'open')) return 'disputed'
  const main = findMainReceipt(receipts)
  const own = refunds.filter(({ receiptId, source }) => receiptId === (main?.id ?? null) || source === 'held')
  if (own.some(({ state }) => state !== 'succeeded' && LIVE_REFUNDS.includes(state))) return 'refunding'
  const done = own.filter(({ state }) => state === 'succeeded')
  const lost = disputes.filter(({ state, receiptId }) => state === 'lost' && receiptId === main?.id)
  if (!done.length && !lost.length) return base
  const brought = main ? computeBroughtAmount(order, main) : order.amountNano
  const isAll =
    brought === 0n && main
      ? sumNano([...done, ...lost].map(({ minor }) => minor)) >= main.paidMinor
      : sumNano([...done.map(({ amountNano }) => amountNano), ...lost.map(({ clawedNano }) => clawedNano)]) >= brought
  return isAll ? 'refunded' : 'partially_refunded'
}

/**
 * Adjusts the user's money held by each dispute to its target: the disputed share of the credited payment, or nothing once the dispute is
 * won. Refunds not yet sent are subtracted, since they will not be sent (R7). Sent ones are not: the bank took the same money a second
 * time, and the payer owes it (R5).
 */
async function updateClaws(
  tx: Tx,
  order: OrderRow,
  { receipts, refunds }: { readonly receipts: readonly PaymentReceiptRow[]; readonly refunds: readonly RefundRow[] },
): Promise<DisputeRow[]> {
  const disputes = await selectOrderDisputes(tx, order.id)
  const after: DisputeRow[] = []
  for (const dispute of disputes) {
    const receipt = receipts.find(({ id }) => id === dispute.receiptId)!
    const brought = computeBroughtAmount(order, receipt)
    const unsent = sumNano(refunds.filter((each) => each.receiptId === receipt.id && UNSENT.includes(each.state)).map((each) => each.amountNano))
    const others = sumNano(after.filter((each) => each.receiptId === receipt.id).map((each) => each.clawedNano))
    const left = maxNano(subtractNano(subtractNano(brought, unsent), others), 0n)
    const target = dispute.state === 'won' ? 0n : minNano(computePartShare(brought, dispute.minor, receipt.paidMinor), left)
    if (target !== dispute.clawedNano) {
      const postings = await setClawed(tx, dispute.id, target)
      const feeOf = (clawed: Nano) => (receipt.resolvedNano === null ? computePartShare(order.feeNano, clawed, brought) : 0n)
      await bookClaw(tx, order, {
        dispute: `${dispute.channelType}:${dispute.disputeId}`,
        posting: postings,
        before: dispute.clawedNano,
        after: target,
        feeBefore: feeOf(dispute.clawedNano),
        feeAfter: feeOf(target),
      })
    }
    after.push({ ...dispute, clawedNano: target })
  }
  return after
}
