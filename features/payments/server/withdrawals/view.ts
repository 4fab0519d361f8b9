import { formatMinor, subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { LIVE_REFUNDS } from '../../words.ts'
import { PAYOUT_CURRENCY } from '../../contract-currencies.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import type { OrderRecord } from '../../contract-shapes.ts'
import type { WithdrawalRow as Row } from '../../contract-withdraw.ts'
import { toWithdrawStatus } from '../../words-out.ts'
import type { WithdrawalState } from '../../words-out.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { isOnHold } from './hold/on-hold.ts'
import type { PartRow } from '../set-aside/data-parts.ts'

/** States in which the user can still cancel it. */
export const CANCELLABLE: readonly WithdrawalState[] = ['requested', 'approving', 'approved']

export function toWithdrawalView(row: WithdrawalRow, parts: readonly PartRow[] = []): Row {
  return {
    withdrawalNo: row.withdrawalNo,
    withdrawType: row.source === 'reward' ? 2 : 1,
    amount: formatUsd(row.amountNano),
    payAmount: formatMinor(row.payMinor),
    payCurrency: PAYOUT_CURRENCY,
    rate: row.rate,
    state: row.state,
    withdrawStatus: toWithdrawStatus(row.state),
    account: { alipay: row.shown.alipay, name: row.shown.name },
    held: isOnHold(row),
    reason: row.reason,
    cancellable: CANCELLABLE.includes(row.state),
    createdTime: row.createdAt.toISOString(),
    payAfterTime: row.payAfter?.toISOString() ?? null,
    taken: formatUsd(row.takenNano),
    finishedTime: row.finishedAt?.toISOString() ?? null,
    parts: parts.filter((part) => part.withdrawalId === row.id).map(toPartView),
    transfer: row.sentNano === null || row.sentMinor === null ? null : { amount: formatUsd(row.sentNano), payAmount: formatMinor(row.sentMinor) },
  }
}

const NEAREST_STATE: Readonly<Record<0 | 1 | 2, OrderRecord['state']>> = { 0: 'refunding', 1: 'fulfilled', 2: 'cancelled' }

/** A withdrawal as a row of the recharge list (product.md 2.3: type 2). */
export function toWithdrawalRecord(row: WithdrawalRow, parts: readonly PartRow[]): OrderRecord {
  const payStatus = toWithdrawStatus(row.state)
  return {
    orderNo: row.withdrawalNo,
    createdTime: row.createdAt.toISOString(),
    successTime: payStatus === 1 ? (row.finishedAt?.toISOString() ?? null) : null,
    orderType: 2,
    payType: parts.find((part) => part.withdrawalId === row.id)?.transactionType ?? PAY_METHODS.alipay.id,
    orderAmount: formatUsd(subtractNano(0n, row.amountNano)),
    payAmount: formatMinor(computeArrivingMinor(row, parts)),
    payCurrency: PAYOUT_CURRENCY,
    fee: '0',
    rate: row.rate,
    payStatus,
    state: NEAREST_STATE[payStatus],
    payable: false,
    withdrawState: row.state,
  }
}

/** Sum received over all ways, if known and all in yuan; else the amount at the rate of the request. */
function computeArrivingMinor(row: WithdrawalRow, parts: readonly PartRow[]): bigint {
  const own = parts.filter((part) => part.withdrawalId === row.id && LIVE_REFUNDS.includes(part.state))
  if (!own.length) return row.sentMinor ?? row.payMinor
  if (own.some(({ currency }) => currency !== PAYOUT_CURRENCY)) return row.payMinor
  return sumNano([...own.map(({ minor }) => minor), row.sentMinor ?? 0n])
}

function toPartView(part: PartRow): NonNullable<Row['parts']>[number] {
  return {
    refundNo: part.refundNo,
    orderNo: part.orderNo,
    transactionType: part.transactionType,
    amount: formatUsd(part.amountNano),
    payAmount: formatMinor(part.minor),
    payCurrency: part.currency,
    state: part.state,
  }
}
