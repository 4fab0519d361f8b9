import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { isProcessAlive, persistThroughCrashes } from './persist.ts'

// L6 for automatic charges: the process is killed at each crash point, and the money is taken once and credited once, as checked against
// the sandbox's own book.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const SIGNING = ['payments.auto-before-sign', 'payments.auto-after-sign']
const CHARGING = [
  'payments.auto-announce-commit',
  'payments.auto-begin-commit',
  'payments.auto-before-call',
  'payments.auto-after-call',
  'payments.auto-record-commit',
  'payments.before-journal',
  'payments.after-journal',
]
const ENDING = 'payments.auto-after-revoke'
const WISH = { threshold: '5', amount: '10', dayMost: '35', monthMost: '200', channelType: 25, transactionType: 5, agreed: true, consentVersion: '2026-11' }

let server: TestServer
let db: Db

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail' }, crashes: true })
  db = connect(server.databaseUrl, { max: 2 })
  await db.query(`insert into settings (key, value, updated_by) values ('payments.auto_lead_minutes', '0', 'system:test')`)
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

/** Retries a step through crashes and makes scheduled retries due at once. */
const persistStep = <T>(step: () => Promise<T | undefined>): Promise<T> =>
  persistThroughCrashes(server, step, {
    what: 'a step of a charge',
    before: async () => {
      await db.query(`update payments_auto_charges set next_try_at = now() where next_try_at > now()`)
      await db.query(`update payments_agreements set next_check_at = now() where next_check_at > now() and state <> 'active'`)
    },
  })

const press = (token: string, path: string, input: object) =>
  callPlatform(server, path ? 'POST' : 'GET', { path: `/v1/pay/autoRecharge${path}`, input, headers: { accesstoken: token } })

async function sign(token: string): Promise<void> {
  const payUrl = await persistStep(async () => {
    const { code, data, msg } = await press(token, '/start', WISH)
    if (code !== 200) throw new Error(msg)
    return data.payUrl as string
  })
  await persistStep(async () => {
    const { status } = await fetch(payUrl, { method: 'POST', body: new URLSearchParams({ action: 'agree' }), redirect: 'manual' })
    return status === 303 ? true : undefined
  })
}

const waitForCharge = (token: string) =>
  persistStep(async () => {
    const { data } = await press(token, '', {})
    return data.charges[0]?.state === 'paid' ? true : undefined
  })

async function expectEqualBooks(): Promise<void> {
  const [sums] = await db.query(`select
    (select count(*)::int from payments_auto_charges where state = 'paid') as charges,
    (select count(*)::int from payments_auto_charges where state in ('announced','charging')) as live,
    (select count(*)::int from payments_receipts) as receipts,
    (select count(*)::int from payments_sandbox_payments) as theirs,
    (select sum(posted)::bigint from wallet_accounts where kind = 'customer') as credited,
    (select sum(total_nano + late_nano)::bigint from payments_auto_sums where period = 'month') as counted`)
  const n = sums!['charges'] as number
  expect(sums).toEqual({ charges: n, live: 0, receipts: n, theirs: n, credited: BigInt(n) * 10_000_000_000n, counted: BigInt(n) * 10_350_000_000n })
  expect((await verifyLedger(db)).problems).toEqual([])
}

test.each([...SIGNING, ...CHARGING, ENDING])('%s: taken once, credited once', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const { token } = await registerByHttp(server)
    if (point === ENDING) {
      await sign(token)
      await waitForCharge(token)
      await press(token, '/stop', {})
    }
    server.crashAt(point)
    const killed = server.pid()
    if (point === ENDING) {
      await db.query('update payments_auto_plans set undo_until = now() where undo_until is not null')
      await persistStep(async () => {
        const [row] = await db.query<{ n: number }>(
          `select count(*)::int as n from payments_agreements where state = 'ending' or (state = 'active' and user_id in (select user_id from payments_auto_plans where state = 'off'))`,
        )
        if (!isProcessAlive(server.pid())) throw new Error('killed')
        return row!.n === 0 && server.pid() !== killed ? true : undefined
      })
    } else {
      await sign(token)
      await waitForCharge(token)
    }
    expect(server.pid(), `${point} was never reached`).not.toBe(killed)
  }
  await expectEqualBooks()
})
