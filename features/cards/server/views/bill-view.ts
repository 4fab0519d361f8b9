import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { BillRow } from '../../contract-bills.ts'
import type { Dispute } from '../disputes/data.ts'
import type { BillWithCard } from '../bills/data.ts'

/** Days after a charge in which it can be disputed. */
export const DISPUTE_DAYS = 110

export function toBillRow(bill: BillWithCard, dispute: Dispute | undefined, now: Date): BillRow {
  const isPurchase = bill.kind === 'purchase' && bill.state === 'success' && bill.transactionId !== null
  return {
    id: bill.id,
    cardId: bill.cardId,
    last4: bill.last4,
    time: bill.at.toISOString(),
    ...pick(bill, 'kind', 'merchant', 'place', 'country'),
    amount: formatUsd(bill.amount),
    local: bill.local ? { amount: formatMinor(BigInt(bill.local.minor)), currency: bill.local.currency } : null,
    fee: formatUsd(bill.fee),
    feeKind: bill.fee !== 0n ? bill.feeKind : null,
    status: bill.state === 'merged' ? 'success' : bill.state,
    reason: bill.reason,
    missing: bill.missing === null ? null : formatUsd(bill.missing),
    balanceAfter: bill.balanceAfter === null ? null : formatUsd(bill.balanceAfter),
    method: bill.method,
    orderNo: bill.orderNo,
    disputable: isPurchase && !dispute && now.getTime() - bill.at.getTime() < DISPUTE_DAYS * 86_400_000,
    dispute: dispute ? toBillDispute(dispute) : null,
  }
}

export function toBillDispute(dispute: Dispute): NonNullable<BillRow['dispute']> {
  return {
    ...pick(dispute, 'id', 'state', 'reason', 'words'),
    amount: formatUsd(dispute.amount),
    createdTime: dispute.createdAt.toISOString(),
    submittedTime: dispute.submittedAt?.toISOString() ?? null,
    finishedTime: dispute.finishedAt?.toISOString() ?? null,
    credited: dispute.credited > 0n,
  }
}
