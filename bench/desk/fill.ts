import type { Db } from '#platform/server/database/db.ts'
import { SPREAD_DAYS, buildOrderNoSql, buildSpreadSql, buildUserIdSql, countDeskUsers } from './people.ts'

/** Fills the tables that grow with orders and calls: accounts, keys, order steps, the audit, mails. */
async function fillRelatedTables(owner: Db, { orders, users }: { orders: number; users: number }, say: (text: string) => void): Promise<void> {
  const at = buildSpreadSql('n', orders)
  const steps: readonly (readonly [name: string, sql: string, most: number])[] = [
    [
      'their accounts',
      `insert into wallet_accounts (id, owner, kind, may_go_negative, has_lots) select n, 'user:' || ${buildUserIdSql('n')}, 'customer', false, true from generate_series(1, $1::int) n on conflict do nothing`,
      users,
    ],
    [
      'their keys',
      `insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4, created_at)
        select 'key_' || n, ${buildUserIdSql('n')}, n, 'key ' || n, sha256(n::text::bytea), lpad((n % 10000)::text, 4, '0'), ${buildSpreadSql('n', users)} from generate_series(1, $1::int) n`,
      users,
    ],
    [
      'steps of orders',
      `insert into payments_order_steps (order_id, at, to_state, actor, reason, event) select id, paid_at, 'fulfilled', 'channel:25', '', 'fulfilled' from payments_orders limit $1`,
      orders,
    ],
    [
      'the audit of orders',
      `insert into audit_rows (at, actor_kind, actor_id, action, target) select ${at}, 'channel', '25', 'order.paid', 'order:' || ${buildOrderNoSql('n')} from generate_series(1, $1::int) n`,
      orders,
    ],
    [
      'the audit of customers',
      `insert into audit_rows (at, actor_kind, actor_id, action, target)
        select ${at}, 'user', ${buildUserIdSql(`1 + n % ${users}`)}, 'account.signed-in', 'user:' || ${buildUserIdSql(`1 + n % ${users}`)} from generate_series(1, $1::int) n`,
      orders,
    ],
    [
      'mails',
      `insert into notices_mails (id, dedupe, template, recipient, state, good_until, created_at, ended_at)
        select 'mail_' || n, 'bench-' || n, 'payments.paid', 'u' || lpad((1 + n % ${users})::text, 7, '0') || '@bench.example', 'sent', now(), ${at}, now() from generate_series(1, $1::int) n`,
      orders,
    ],
  ]
  for (const [name, sql, most] of steps) {
    await owner.query(sql, [most])
    say(`${most} rows of ${name}`)
  }
}

/** A hundred customers of whom something waits in each queue. */
const WAITING_PER_QUEUE = 100

/** Rows as the product would have written them, made by the database: no ledger behind them, which the lists do not add up. */
export async function fillDesk(owner: Db, { orders, calls }: { orders: number; calls: number }, say: (text: string) => void): Promise<void> {
  const users = countDeskUsers(orders)
  const steps: readonly (readonly [name: string, sql: string, values: readonly unknown[]])[] = [
    [
      `${users} customers`,
      `insert into account_users (id, name, created_at) select ${buildUserIdSql('n')}, '客户 ' || n, now() - make_interval(mins => n % ${SPREAD_DAYS * 1440}) from generate_series(1, $1::int) n`,
      [users],
    ],
    [
      'their mails',
      `insert into account_identities (kind, subject, display, user_id, verified_at, created_at)
        select 'email', 'u' || lpad(n::text, 7, '0') || '@bench.example', 'u' || lpad(n::text, 7, '0') || '@bench.example', ${buildUserIdSql('n')}, now(), now() from generate_series(1, $1::int) n`,
      [users],
    ],
    [
      'their mobiles',
      `insert into account_identities (kind, subject, display, user_id, verified_at, created_at)
        select 'mobile', '+86139' || lpad(n::text, 8, '0'), '+86139' || lpad(n::text, 8, '0'), ${buildUserIdSql('n')}, now(), now() from generate_series(1, $1::int) n`,
      [users],
    ],
    [
      `${orders} orders`,
      `insert into payments_orders (order_no, user_id, order_type, state, base_state, amount_nano, fee_percent, fee_nano, total_nano, rate, currency, pay_minor, channel_type,
          transaction_type, trade_from, expires_at, paid_at, created_at)
        select ${buildOrderNoSql('n')}, ${buildUserIdSql(`1 + n % ${users}`)}, 10, 'fulfilled', 'fulfilled', 20000000000, '3.5', 700000000, 20700000000, '7.1230', 'CNY', 14745, 25, 1, 'QRCODE', t, t, t
        from (select n, ${buildSpreadSql('n', orders)} as t from generate_series(1, $1::int) n) x`,
      [orders],
    ],
    [
      'receipts',
      `insert into payments_receipts (channel_type, channel_txn, order_id, trade_no, paid_minor, currency, paid_at, outcome, worth_nano, ledger_ref)
        select 25, 'txn' || id, id, 'trade' || id, 14745, 'CNY', paid_at, 'credited', 20700000000, 'bench-' || id from payments_orders`,
      [],
    ],
    [
      'refunds that wait',
      `insert into payments_refunds (refund_no, order_id, receipt_id, source, goes_to, amount_nano, fee_nano, minor, currency, state, reason, asked_by)
        select 'R20261121-' || lpad(r.id::text, 12, '0'), r.order_id, r.id, 'balance', 'channel', 1000000000, 0, 712, 'CNY', 'requested', '', 'bench'
        from payments_receipts r order by r.id limit $1`,
      [WAITING_PER_QUEUE],
    ],
    [
      'conversations',
      `insert into support_conversations (id, user_id, start_id, start_hash, lang, topic, state, created_at, updated_at)
        select 'cnv_bench' || n, ${buildUserIdSql('n')}, 'start_' || n, sha256(n::text::bytea), 'zh', 'general', case when n <= ${WAITING_PER_QUEUE} then 'open' else 'closed' end, now(), now() - make_interval(mins => n % 10000) from generate_series(1, $1::int) n`,
      [Math.min(users, 50_000)],
    ],
    [
      'complaints',
      `insert into support_complaints (id, user_id, email, content, lang, state, created_at)
        select 'cmp_bench' || n, ${buildUserIdSql('n')}, 'u' || n || '@bench.example', '帮我看看这笔账', 'zh', 'open', now() - make_interval(mins => n) from generate_series(1, $1::int) n`,
      [WAITING_PER_QUEUE],
    ],
    [
      'invoices that were asked for',
      `insert into payments_invoice_requests (request_no, user_id, month, lang, details, agreed_fee, asked_at)
        select 'IR-20261121-' || lpad(n::text, 12, '0'), ${buildUserIdSql('n')}, '2026-10', 'zh', '{"userName":"A&B 2 Ltd."}', '1.00', now() - make_interval(mins => n) from generate_series(1, $1::int) n`,
      [WAITING_PER_QUEUE],
    ],
  ]
  for (const [name, sql, values] of steps) {
    await owner.query(sql, values)
    say(name)
  }
  await fillRelatedTables(owner, { orders, users }, say)
  await fillCalls(owner, calls, users, say)
  await owner.query('vacuum analyze')
  say('analyzed')
}

const STEP = 1_000_000

async function fillCalls(owner: Db, calls: number, users: number, say: (text: string) => void): Promise<void> {
  for (let from = 1; from <= calls; from += STEP) {
    await owner.query(
      `insert into gateway_usage (call_id, started_at, lease_id, account_id, user_id, key_id, model, upstream, price_version, dialect, stream, status, outcome, provenance, amount,
         input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
       select 'call_' || lpad(n::text, 22, '0'), now() - make_interval(secs => (n * 3) % 7776000), 1, 1 + n % ${users}, ${buildUserIdSql(`1 + n % ${users}`)}, 'key_' || n % ${users}, 'gpt-6-luna', 'sandbox', 1,
         'openai-chat', true, 200, 'completed', 'upstream', 1200000, 800, 0, 120, 0, array[0, 800, 1000, 800000, 4, 120, 3333, 400000]::bigint[], 'req_' || n, 'up_' || n, 300, 2100
       from generate_series($1::bigint, $2::bigint) n`,
      [from, Math.min(from + STEP - 1, calls)],
    )
    say(`${Math.min(from + STEP - 1, calls)} calls`)
  }
  await owner.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
      select account_id, (started_at at time zone 'Asia/Shanghai')::date, model, key_id, count(*), sum(input_tokens + output_tokens), sum(amount), 0, max(amount) from gateway_usage group by 1, 2, 3, 4`,
  )
  say('sums by day')
}
