import { formatMinor, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { PaymentOrder, OrderRecord } from '../../contract-shapes.ts'
import { formatDiscount } from '../../figures.ts'
import { BALANCE_CHANNEL_TYPE, ORDER_TYPE, PAYABLE, toPayStatus, toRecordType } from '../../words.ts'
import type { OrderRow } from '../data.ts'

type Discounted = Pick<OrderRow, 'discount_nano' | 'discount_given' | 'paid_at'>

/** Once the order is paid, only a discount that was granted. */
export const computeVisibleDiscount = ({ discount_nano: discount, discount_given: isGiven, paid_at: paidAt }: Discounted): Nano =>
  paidAt === null || isGiven ? discount : 0n

/** Amount credited to the balance, or the price. */
export const computeVisibleAmount = (row: Discounted & Pick<OrderRow, 'amount_nano'>): Nano => sumNano([row.amount_nano, computeVisibleDiscount(row)])

/** Maps an order for its owner. */
export function toPaymentOrder(row: OrderRow): PaymentOrder {
  return {
    orderNo: row.order_no,
    orderType: row.order_type,
    state: row.state,
    payStatus: toPayStatus(row.state),
    amount: formatUsd(computeVisibleAmount(row)),
    ...formatDiscount(computeVisibleDiscount(row)),
    ...(row.wishes.deposit ? { deposit: row.wishes.deposit } : {}),
    ...(computeVisibleDiscount(row) === row.discount_nano ? {} : { discountWithheld: formatUsd(row.discount_nano) }),
    feePercent: row.fee_percent,
    fee: formatUsd(row.fee_nano),
    fixedFee: formatUsd(row.fixed_nano),
    total: formatUsd(row.total_nano),
    rate: row.rate,
    payAmount: formatMinor(row.pay_minor),
    payCurrency: row.currency,
    channelType: row.channel_type,
    transactionType: row.transaction_type,
    tradeFrom: row.trade_from,
    createdTime: row.created_at.toISOString(),
    expireTime: row.expires_at.toISOString(),
    successTime: row.paid_at?.toISOString() ?? null,
    secondsLeft: computeSecondsLeft(row),
  }
}

const isRecharge = (orderType: number) => orderType === ORDER_TYPE.OPENAI_API || orderType === ORDER_TYPE.RECHARGE

export function toOrderRecord(row: OrderRow): OrderRecord {
  return {
    orderNo: row.order_no,
    createdTime: row.created_at.toISOString(),
    successTime: row.paid_at?.toISOString() ?? null,
    orderType: toRecordType(row.order_type),
    payType: row.transaction_type,
    ...(isRecharge(row.order_type) ? { rechargeType: row.channel_type === BALANCE_CHANNEL_TYPE ? 1 : 2 } : {}),
    orderAmount: formatUsd(computeVisibleAmount(row)),
    payAmount: formatMinor(row.pay_minor),
    payCurrency: row.currency,
    fee: formatUsd(row.fee_nano),
    rate: row.rate,
    payStatus: toPayStatus(row.state),
    state: row.state,
    payable: computeSecondsLeft(row) > 0,
  }
}

export function computeSecondsLeft(row: Pick<OrderRow, 'state' | 'source' | 'expires_at' | 'now'>): number {
  if (row.source === 'auto') return 0
  return PAYABLE.includes(row.state) ? Math.max(0, Math.floor((row.expires_at.getTime() - row.now.getTime()) / 1000)) : 0
}
