import type { Sql } from '#platform/server/database/db.ts'
import type { RobotViolation } from './violation.ts'

/** Longest wait before the books are compared: two weeks and a day, the longest period that the product promises for anything. */
const LONGEST_WAIT = '15 days'

/** Lists orders that are stuck. An order whose money came too late counts as delivered once the money is in the balance. */
export const selectStuckOrders = (sql: Sql): Promise<{ orderNo: string; orderType: number; state: string; days: number }[]> =>
  sql.query(
    `select order_no, order_type, state, extract(day from now() - coalesce(paid_at, created_at))::int as days from payments_orders
      where (state in ('paid', 'paying', 'unknown', 'created')
        or state = 'paid_late' and not exists (select from wallet_transactions x where x.ref = 'order:' || order_no and x.kind = 'topup')) and coalesce(paid_at, created_at) < now() - interval '1 day' order by id`,
  )

/** Overdue tasks that were not reported to the desk. */
export const selectStuckTasks = (sql: Sql): Promise<{ id: string; service: string; state: string; days: number }[]> =>
  sql.query(
    `select id, service, state, extract(day from now() - entered_at)::int as days from services_tasks
      where phase in ('draft', 'waiting') and entered_at < now() - interval '${LONGEST_WAIT}' and late_told_at is null order by id`,
  )

export const selectStuckWithdrawals = (sql: Sql): Promise<{ withdrawalNo: string; state: string; days: number }[]> =>
  sql.query(
    `select withdrawal_no, state, extract(day from now() - created_at)::int as days from payments_withdrawals
      where state not in ('paid', 'returned', 'cancelled', 'rejected', 'failed') and held_at is null and created_at < now() - interval '${LONGEST_WAIT}' order by id`,
  )

/** Differences between books that must be equal at rest, one per row. */
export async function selectBookDifferences(sql: Sql): Promise<RobotViolation[]> {
  const found: RobotViolation[] = []
  for (const text of BOOKS) found.push(...(await sql.query<RobotViolation & Record<string, string>>(text)))
  return found
}

const BOOKS = [
  `select 'an order paid through a channel is booked once and whole' as rule, o.order_no as subject, booked.sum::text as seen, o.total_nano::text as expected
    from payments_receipts r join payments_orders o on o.id = r.order_id,
      lateral (select coalesce(sum(t.amount), 0) as sum from wallet_transactions x join wallet_transfers t on t.transaction_id = x.id
        where x.ref = r.ledger_ref and x.kind in ('topup', 'order.paid') and t.debit_kind = 'wash') booked
    where r.outcome in ('credited', 'late') and booked.sum <> o.total_nano`,
  `select 'what left by transfer is what the withdrawal says' as rule, w.withdrawal_no as subject, coalesce(p.minor, 0)::text as seen, w.sent_minor::text as expected
    from payments_withdrawals w left join payments_sandbox_payouts p on p.payout_no = w.withdrawal_no and p.state = 'paid'
    where w.state = 'paid' and coalesce(w.sent_minor, 0) <> coalesce(p.minor, 0)`,
  `select 'what went back through a channel is what the refund says' as rule, f.refund_no as subject, coalesce(s.minor, 0)::text as seen, f.minor::text as expected
    from payments_refunds f left join payments_sandbox_refunds s on s.refund_no = f.refund_no
    where f.state = 'succeeded' and f.goes_to = 'channel' and coalesce(s.minor, 0) <> f.minor`,
  `select 'services charged = services booked' as rule, 'all services' as subject, booked.sum::text as seen, said.sum::text as expected
    from (select coalesce(sum(t.amount), 0) as sum from wallet_transactions x join wallet_transfers t on t.transaction_id = x.id
        where x.kind = 'service.charged' and t.credit_kind = 'revenue' and t.debit_kind = 'customer') booked,
      (select coalesce(sum(charged), 0) as sum from services_tasks where money = 'charged' and service <> 'upgrade') said where booked.sum <> said.sum`,
  `select 'what was paid at the sandbox is known here' as rule, p.txn as subject, coalesce(r.paid_minor::text, 'nothing') as seen, p.minor::text as expected
    from payments_sandbox_payments p left join payments_receipts r on r.channel_txn = p.txn left join payments_strays s on s.channel_txn = p.txn
    where coalesce(r.paid_minor, s.minor, -1) <> p.minor`,
  `select 'calls charged = calls booked' as rule, a.owner as subject,
      (select coalesce(sum(t.amount), 0)::text from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        where x.kind like 'gateway%' and t.credit_kind = 'revenue' and t.debit_account_id in (select id from wallet_accounts b where b.owner = a.owner)) as seen,
      (select coalesce(sum(u.amount), 0)::text from gateway_usage u where 'user:' || u.user_id = a.owner) as expected
    from (select distinct owner from wallet_accounts where kind = 'customer') a
    where (select coalesce(sum(t.amount), 0) from wallet_transfers t join wallet_transactions x on x.id = t.transaction_id
        where x.kind like 'gateway%' and t.credit_kind = 'revenue' and t.debit_account_id in (select id from wallet_accounts b where b.owner = a.owner))
      <> (select coalesce(sum(u.amount), 0) from gateway_usage u where 'user:' || u.user_id = a.owner)`,
]
