import { formatMinor, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { PaymentOrder, OrderRecord } from '../../contract-shapes.ts'
import { formatDiscount } from '../../figures.ts'
import { BALANCE_CHANNEL_TYPE, ORDER_TYPE, PAYABLE, toPayStatus, toRecordType } from '../../words.ts'
import type { OrderRow } from '../data.ts'

type Discounted = Pick<OrderRow, 'discountNano' | 'discountGiven' | 'paidAt'>

/** Once the order is paid, only a discount that was granted. */
export const computeVisibleDiscount = ({ discountNano: discount, discountGiven: isGiven, paidAt }: Discounted): Nano =>
  paidAt === null || isGiven ? discount : 0n

/** Amount credited to the balance, or the price. */
export const computeVisibleAmount = (row: Discounted & Pick<OrderRow, 'amountNano'>): Nano => sumNano([row.amountNano, computeVisibleDiscount(row)])

/** Maps an order for its owner. */
export function toPaymentOrder(row: OrderRow): PaymentOrder {
  return {
    orderNo: row.orderNo,
    orderType: row.orderType,
    state: row.state,
    payStatus: toPayStatus(row.state),
    amount: formatUsd(computeVisibleAmount(row)),
    ...formatDiscount(computeVisibleDiscount(row)),
    ...(row.wishes.deposit ? { deposit: row.wishes.deposit } : {}),
    ...(computeVisibleDiscount(row) === row.discountNano ? {} : { discountWithheld: formatUsd(row.discountNano) }),
    feePercent: row.feePercent,
    fee: formatUsd(row.feeNano),
    fixedFee: formatUsd(row.fixedNano),
    total: formatUsd(row.totalNano),
    rate: row.rate,
    payAmount: formatMinor(row.payMinor),
    payCurrency: row.currency,
    channelType: row.channelType,
    transactionType: row.transactionType,
    tradeFrom: row.tradeFrom,
    createdTime: row.createdAt.toISOString(),
    expireTime: row.expiresAt.toISOString(),
    successTime: row.paidAt?.toISOString() ?? null,
    secondsLeft: computeSecondsLeft(row),
  }
}

const isRecharge = (orderType: number) => orderType === ORDER_TYPE.OPENAI_API || orderType === ORDER_TYPE.RECHARGE

export function toOrderRecord(row: OrderRow): OrderRecord {
  return {
    orderNo: row.orderNo,
    createdTime: row.createdAt.toISOString(),
    successTime: row.paidAt?.toISOString() ?? null,
    orderType: toRecordType(row.orderType),
    payType: row.transactionType,
    ...(isRecharge(row.orderType) ? { rechargeType: row.channelType === BALANCE_CHANNEL_TYPE ? 1 : 2 } : {}),
    orderAmount: formatUsd(computeVisibleAmount(row)),
    payAmount: formatMinor(row.payMinor),
    payCurrency: row.currency,
    fee: formatUsd(row.feeNano),
    rate: row.rate,
    payStatus: toPayStatus(row.state),
    state: row.state,
    payable: computeSecondsLeft(row) > 0,
  }
}

export function computeSecondsLeft(row: Pick<OrderRow, 'state' | 'source' | 'expiresAt' | 'now'>): number {
  if (row.source === 'auto') return 0
  return PAYABLE.includes(row.state) ? Math.max(0, Math.floor((row.expiresAt.getTime() - row.now.getTime()) / 1000)) : 0
}
