import { minorText, sum, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Order, OrderRecord } from '../../contract-shapes.ts'
import { discountText } from '../../figures.ts'
import { BALANCE_CHANNEL, ORDER_TYPE, PAYABLE, payStatusOf, recordTypeOf } from '../../words.ts'
import type { OrderRow } from '../data.ts'

type Discounted = Pick<OrderRow, 'discount_nano' | 'discount_given' | 'paid_at'>

/** Once the order is paid, only a discount that was given. */
export const discountShown = ({ discount_nano: discount, discount_given: isGiven, paid_at: paidAt }: Discounted): Nano =>
  paidAt === null || isGiven ? discount : 0n

/** Amount that reaches the balance, or the price. */
export const amountShown = (row: Discounted & Pick<OrderRow, 'amount_nano'>): Nano => sum([row.amount_nano, discountShown(row)])

/** An order as its owner sees it. */
export function orderView(row: OrderRow): Order {
  return {
    orderNo: row.order_no,
    orderType: row.order_type,
    state: row.state,
    payStatus: payStatusOf(row.state),
    amount: usd(amountShown(row)),
    ...discountText(discountShown(row)),
    ...(row.wishes.deposit ? { deposit: row.wishes.deposit } : {}),
    ...(discountShown(row) === row.discount_nano ? {} : { discountWithheld: usd(row.discount_nano) }),
    feePercent: row.fee_percent,
    fee: usd(row.fee_nano),
    fixedFee: usd(row.fixed_nano),
    total: usd(row.total_nano),
    rate: row.rate,
    payAmount: minorText(row.pay_minor),
    payCurrency: row.currency,
    channelType: row.channel_type,
    transactionType: row.transaction_type,
    tradeFrom: row.trade_from,
    createdTime: row.created_at.toISOString(),
    expireTime: row.expires_at.toISOString(),
    successTime: row.paid_at?.toISOString() ?? null,
    secondsLeft: secondsLeft(row),
  }
}

const isRecharge = (orderType: number) => orderType === ORDER_TYPE.OPENAI_API || orderType === ORDER_TYPE.RECHARGE

export function recordView(row: OrderRow): OrderRecord {
  return {
    orderNo: row.order_no,
    createdTime: row.created_at.toISOString(),
    successTime: row.paid_at?.toISOString() ?? null,
    orderType: recordTypeOf(row.order_type),
    payType: row.transaction_type,
    ...(isRecharge(row.order_type) ? { rechargeType: row.channel_type === BALANCE_CHANNEL ? 1 : 2 } : {}),
    orderAmount: usd(amountShown(row)),
    payAmount: minorText(row.pay_minor),
    payCurrency: row.currency,
    fee: usd(row.fee_nano),
    rate: row.rate,
    payStatus: payStatusOf(row.state),
    state: row.state,
    payable: secondsLeft(row) > 0,
  }
}

export function secondsLeft(row: Pick<OrderRow, 'state' | 'source' | 'expires_at' | 'now'>): number {
  if (row.source === 'auto') return 0
  return PAYABLE.includes(row.state) ? Math.max(0, Math.floor((row.expires_at.getTime() - row.now.getTime()) / 1000)) : 0
}
