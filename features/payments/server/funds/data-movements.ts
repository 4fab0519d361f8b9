import type { Sql } from '#platform/server/database/db.ts'

/** Orders and withdrawals behind balance movements, one statement per kind. */

export interface OrderFacts {
  /** Lookup key: the order number, or the reference of the refund or dispute. */
  readonly asked: string
  readonly orderNo: string
  readonly orderType: number
  readonly transactionType: number
  readonly currency: string
  readonly payMinor: bigint
  readonly feeNano: bigint
  readonly source: 'user' | 'auto'
  readonly withdrawalNo: string | null
}
const ORDER_COLUMNS = 'o.order_no, o.order_type, o.transaction_type, o.currency, o.pay_minor, o.fee_nano, o.source'

/** Orders of a user by their numbers. */
export const selectOrdersByNo = (sql: Sql, userId: string, numbers: readonly string[]) =>
  sql.query<OrderFacts>(
    `select o.order_no as asked, ${ORDER_COLUMNS}, null as withdrawal_no from payments_orders o where o.order_no = any ($2) and o.user_id = $1`,
    [userId, numbers],
  )

/** Orders of a user by the numbers of their refunds, with the withdrawal that a refund is part of. */
export const selectOrdersOfRefunds = (sql: Sql, userId: string, numbers: readonly string[]) =>
  sql.query<OrderFacts>(
    `select r.refund_no as asked, ${ORDER_COLUMNS}, w.withdrawal_no from payments_refunds r join payments_orders o on o.id = r.order_id
     left join payments_withdrawal_parts p on p.refund_id = r.id left join payments_withdrawals w on w.id = p.withdrawal_id
     where r.refund_no = any ($2) and o.user_id = $1`,
    [userId, numbers],
  )

/** Orders of a user by the channel's ids of their disputes. */
export const selectOrdersOfDisputes = (sql: Sql, userId: string, names: readonly string[]) =>
  sql.query<OrderFacts>(
    `select d.channel_type || ':' || d.dispute_id as asked, ${ORDER_COLUMNS}, null as withdrawal_no from payments_orders o join payments_disputes d on d.order_id = o.id
     where o.user_id = $1 and d.channel_type || ':' || d.dispute_id = any ($2)`,
    [userId, names],
  )

export interface WithdrawalFacts {
  readonly withdrawalNo: string
  readonly sentTx: bigint | null
  readonly state: string
  readonly alipay: string
  readonly sentMinor: bigint | null
}

/** Withdrawals of a user by number or by the transaction that sent them. */
export const selectWithdrawalFacts = (sql: Sql, userId: string, { numbers, sent }: { readonly numbers: readonly string[]; readonly sent: readonly bigint[] }) =>
  sql.query<WithdrawalFacts>(
    `select withdrawal_no, sent_tx, state, coalesce(shown ->> 'alipay', '') as alipay, sent_minor from payments_withdrawals
     where user_id = $1 and (withdrawal_no = any ($2) or sent_tx = any ($3))`,
    [userId, numbers, sent],
  )
