import type { Sql } from '#platform/server/database/db.ts'
import { createRandomCode } from '#platform/shared/ids.ts'

/**
 * For tests and builders only: channel-confirmed payments written as the payments feature stores them, so that histories of thousands need
 * no payment page. `owner` may write every table.
 */
export function createTestPayments(owner: Sql) {
  const day = '20261123'
  return {
    /** Inserts an order paid at a channel, `nano` of it after its discount. Returns its number. */
    pay: async (userId: string, nano: bigint, outcome: 'credited' | 'late' = 'credited'): Promise<string> => {
      const orderNo = `${day}-${createRandomCode(12)}`
      await owner.query(
        `with o as (insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate,
          pay_minor, channel_type, expires_at, transaction_type, trade_from, paid_at)
          values ($1,$2,10,'fulfilled','fulfilled',$3,'0',0,$3,'7.1230',1,25,now(),1,'QRCODE',now()) returning id)
        insert into payments_receipts (channel_type, channel_txn, order_id, trade_no, paid_minor, currency, paid_at, outcome, worth_nano, ledger_ref)
          select 25, $1, id, $1, 1000000, 'CNY', clock_timestamp(), $4, $3, 'test:' || $1 from o`,
        [orderNo, userId, nano, outcome],
      )
      return orderNo
    },
    /** Inserts a refund that arrived. */
    refund: (orderNo: string, nano: bigint) =>
      owner.query(
        `insert into payments_refunds (refund_no, order_id, receipt_id, source, goes_to, amount_nano, minor, currency, state, reason, asked_by, finished_at)
        select $2, o.id, r.id, 'balance', 'channel', $3, 1, 'CNY', 'succeeded', 'test', 'user:test', now()
        from payments_orders o join payments_receipts r on r.order_id = o.id where o.order_no = $1`,
        [orderNo, `R${day}-${createRandomCode(12)}`, nano],
      ),
    dispute: (orderNo: string, nano: bigint) =>
      owner.query(
        `insert into payments_disputes (channel_type, dispute_id, order_id, receipt_id, minor, currency, state, clawed_nano)
        select 25, $1, o.id, r.id, 1, 'CNY', 'open', $2 from payments_orders o join payments_receipts r on r.order_id = o.id where o.order_no = $1`,
        [orderNo, nano],
      ),
    endDispute: (orderNo: string, won: boolean) =>
      owner.query(
        `update payments_disputes set state = $2, clawed_nano = case when $2 = 'won' then 0 else clawed_nano end, closed_at = now() where dispute_id = $1 and state = 'open'`,
        [orderNo, won ? 'won' : 'lost'],
      ),
  }
}
