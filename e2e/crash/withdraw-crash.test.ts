import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/db.ts'
import type { Db } from '#platform/server/db.ts'
import { transact } from '#platform/server/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { testApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { payments } from '#features/payments/server/index.ts'
import { balanceRefund } from '#features/payments/server/withdrawals/verbs/balance-refund.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { balanceOf, verifyLedger } from '#features/wallet/server/door.ts'

// L6 on the way out: killed at each point, the payout still leaves once, and the sandbox's own book is the judge.
/** Five with CRASH_KILLS=5: the count of a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 2)
const POINTS = ['payout-before-leave', 'payout-leave-commit', 'payout-before-call', 'payout-after-call', 'payout-settle-commit']
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms' }
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'worker,sandbox', env })
  db = connect(server.databaseUrl, { max: 4 })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = testApp({ features: [payments], db, overrides: { secretKey } }))
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

test.each(POINTS)('%s', { timeout: 300_000 }, async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const userId = await aFundedUser(db)
    await server.restart({ CRASH_AT: `payments.${point}` })
    const killed = server.pid()
    const no = await request(userId)
    await expect.poll(() => isAlive(killed), { timeout: 60_000, interval: 50 }).toBe(false)
    await server.restart()
    await db.query('update payments_withdrawals set next_check_at = now() where withdrawal_no = $1', [no]) // the lease, without waiting for it
    const state = async () => (await db.query<{ state: string }>('select state from payments_withdrawals where withdrawal_no = $1', [no]))[0]!.state
    await expect.poll(state, { timeout: 60_000, interval: 50 }).toBe('paid')
    expect(await db.query('select minor from payments_sandbox_payouts where payout_no = $1', [no])).toEqual([{ minor: 35615n }])
    const { posted, held } = await balanceOf(db, userId)
    expect([posted, held]).toEqual([50n * NANO_PER_USD, 0n])
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})

async function request(userId: string): Promise<string> {
  const actor = { kind: 'user', id: userId } as const
  return transact(db, actor, async (tx) => {
    const ctx = { ...deps, actor, userId, sessionId: '', lang: 'zh', clientType: 1, requestId: newId('req'), ip: '127.0.0.1', userAgent: 'test', tx } as const
    const form = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', payPassword: '271828' }
    return (await balanceRefund(ctx, { ...form, amount: '50' })).withdrawalNo
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
