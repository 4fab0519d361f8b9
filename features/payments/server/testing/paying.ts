import { afterAll } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import type { Feature } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Setting } from '#platform/server/settings.ts'
import { makeRowsDue, useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { anOpenOrder, pressCashier } from '../builders.ts'
import type { TestOrderOptions } from '../builders.ts'
import { payments } from '../index.ts'
import { checkOrder } from '../paying/check-order.ts'
import { channelSandboxJobs } from '../vendors/index.ts'

const OPERATOR = { kind: 'operator', id: 'test' } as const
export const payingSignIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })

/** The payments feature on its own server, with the sandbox company and helpers that act as a payer. */
export async function createPayingApp(more: readonly Feature[] = []) {
  const db = await useTestDb({ max: 60 })
  let url = ''
  const { app, call, deps, settle } = createTestApp({ features: [payments, payingSignIn, ...more], db, overrides: { publicUrl: () => url } })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => {
    app.server.closeAllConnections()
    return app.close()
  })

  const idOf = async (orderNo: string) => (await db.query<{ id: bigint }>('select id from payments_orders where order_no = $1', [orderNo]))[0]!.id
  const open = async (wish: TestOrderOptions = {}) => {
    const opened = await anOpenOrder(deps, wish)
    return { ...opened, userId: opened.ctx.userId, orderNo: opened.order.orderNo }
  }
  const check = async (orderNo: string) => checkOrder(deps, { kind: 'system', id: 'test' }, await idOf(orderNo))
  return {
    db,
    call,
    deps,
    settle,
    url: () => url,
    idOf,
    open,
    check,
    paid: async (wish: TestOrderOptions = {}) => {
      const opened = await open(wish)
      await pressCashier(opened.params, 'silent')
      await check(opened.orderNo)
      return opened
    },
    /** Makes the sandbox send due notices and apply due changes; its schedule is brought forward so that no test waits. */
    deliver: async () => {
      const waiting = await makeRowsDue(db, 'payments_sandbox_notices', { column: 'due_at', where: 'done_at is null' })
      // The sandbox sends twenty at a time.
      for (let sent = 0; sent <= waiting; sent += 20) for (const job of channelSandboxJobs) await job.handle(deps, {})
    },
    /** Brings the sandbox company's scheduled changes forward to now, for one order or for all. */
    hurry: async (orderNo = '') => {
      const ours = `token in (select token from payments_sandbox_trades where trade_no like $1)`
      await db.query(`update payments_sandbox_refunds set turns_at = now() - interval '1 second' where turns_at is not null and ${ours}`, [`${orderNo}%`])
      await db.query(
        `update payments_sandbox_disputes set created_at = least(created_at, now() - interval '1 second'), turns_at = case when turns_at is null then null else now() - interval '1 second' end
         where ${ours}`,
        [`${orderNo}%`],
      )
    },
    dueNow: async () => {
      await makeRowsDue(db.owner, 'payments_orders', { column: 'next_check_at' })
      await makeRowsDue(db.owner, 'payments_refunds', { column: 'next_check_at' })
    },
    stateOf: async (orderNo: string) => (await db.query<{ state: string }>('select state from payments_orders where order_no = $1', [orderNo]))[0]!.state,
    balance: async (userId: string) => (await readBalance(db, userId)).available,
    news: async (orderNo: string) =>
      (await db.query<{ event: string }>(`select event from outbox where payload->>'orderNo' = $1 order by id`, [orderNo])).map(({ event }) => event),
    set: async <T>(setting: Setting<T>, value: T) => transact(db, OPERATOR, (tx) => deps.settings.set(tx, setting, value)),
    operator: OPERATOR,
    /** Compares the sandbox's book of an order with ours: payments and refunds. */
    books: async () => ({
      theirs:
        await db.query(`select p.txn, p.minor, coalesce((select sum(r.minor) from payments_sandbox_refunds r where r.txn = p.txn and r.state = 'succeeded'), 0)::bigint as back
        from payments_sandbox_payments p order by p.txn`),
      ours: await db.query(`select r.channel_txn as txn, r.paid_minor as minor, coalesce((select sum(f.minor) from payments_refunds f where f.receipt_id = r.id and f.state = 'succeeded'), 0)::bigint as back
        from payments_receipts r order by r.channel_txn`),
    }),
  }
}
