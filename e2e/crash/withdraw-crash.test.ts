import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { aPaidRechargeOrder, aWithdrawal } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { isProcessAlive } from './persist.ts'

// L6 for withdrawals: twenty dollars came from an order and return through it, thirty leave by transfer. Killed at each point, each part
// still leaves once, as checked against the sandbox's own books.
/** Number of kills per point; CRASH_KILLS=5 for a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = [
  'payout-before-leave',
  'payout-parts-commit',
  'before-refund-call',
  'after-refund-call',
  'payout-leave-commit',
  'payout-call-commit',
  'payout-before-call',
  'payout-after-call',
  'payout-settle-commit',
]
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms' }
const POLL = { interval: 50 }
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'worker,sandbox', env, crashes: true })
  db = connect(server.databaseUrl, { max: 4 })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = createTestApp({ features: [payments], db, overrides: { secretKey, publicUrl: () => server.baseUrl } }))
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const userId = await aFundedUser(db)
    const { orderNo } = await aPaidRechargeOrder(deps, { userId })
    server.crashAt(`payments.${point}`)
    const killed = server.pid()
    const no = await aWithdrawal(deps, { userId })
    await expect.poll(() => isProcessAlive(killed), POLL).toBe(false)
    await server.restart()
    // Expires the leases of the process that died.
    await db.query('update payments_withdrawals set next_check_at = now() where withdrawal_no = $1', [no])
    await db.query(`update payments_refunds set next_check_at = now() where next_check_at > now() and state in ('approved','dispatched','unknown')`)
    const state = async () => (await db.query<{ state: string }>('select state from payments_withdrawals where withdrawal_no = $1', [no]))[0]!.state
    await expect.poll(state, POLL).toBe('paid')
    expect(await db.query('select minor from payments_sandbox_payouts where payout_no = $1', [no])).toEqual([{ minor: 21369n }])
    const refunds = await db.query(
      'select r.minor, r.state from payments_sandbox_refunds r join payments_sandbox_trades t on t.token = r.token where t.trade_no like $1',
      [`${orderNo}%`],
    )
    expect(refunds).toEqual([{ minor: 14246n, state: 'succeeded' }])
    const { posted, held } = await readBalance(db, userId)
    expect([posted, held]).toEqual([70n * NANO_PER_USD, 0n])
  }
  expect(await db.query(`select posted from wallet_accounts where kind = 'in_transit' and posted <> 0`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})
