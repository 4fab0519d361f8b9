import type { Db } from '#platform/server/database/db.ts'
import { buildOrderNoSql, buildSpreadSql, buildUserIdSql } from './people.ts'

/** Fills the tables that grow with orders and calls: accounts, keys, order steps, the audit, mails. */
export async function fillRelatedTables(owner: Db, { orders, users }: { orders: number; users: number }, say: (text: string) => void): Promise<void> {
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
