import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { account } from '#features/account/server/index.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { callPlatform } from '../visitor.ts'

// money.md K2 and L4 across processes: two processes on one database, called at the same moment.
const ROUNDS = Number(process.env['RACES'] ?? 2)
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms' }
const ORDER = { orderType: 10, amount: '5', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
const TO = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X', payPassword: '271828' }

let servers: readonly [TestServer, TestServer]
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  const first = await startTestServer({ roles: 'api,worker,sandbox', env })
  servers = [first, await startTestServer({ roles: 'api', env, databaseUrl: first.databaseUrl })]
  db = connect(first.databaseUrl, { max: 4 })
  await db.query(`insert into settings (key, value, updated_by) values
    ('payments.withdraw_keep', '"0"', 'system:test'), ('payments.withdraw_limits', '{"day":"1000","month":"5000","everybodyDay":"1000000"}', 'system:test'),
    ('payments.max_open_orders', '1000', 'system:test'), ('payments.user_refunds', '"auto"', 'system:test')`)
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = createTestApp({ features: [account, payments], db, env, overrides: { secretKey } }))
})
afterAll(async () => {
  for (const server of servers ?? []) await server.stop()
  await db?.close()
})

const callProcess = (n: number, user: BuiltUser, { path, input, key }: { readonly path: string; readonly input: object; readonly key: string }) =>
  callPlatform(servers[n % 2]!, 'POST', { path, input, headers: { 'accesstoken': user.token, 'idempotency-key': key } })

/** Code of a reply if the first call is still in progress. */
const UNDER_WAY = 4003
/** Of parallel tries at a payment password at most five are compared (A2), including correct ones. */
const LOCKED = 1032

/** Makes fifty parallel calls with one key, alternating between the processes: all get one reply, or one of the codes in `besides`. */
async function callFiftyTimes(
  user: BuiltUser,
  path: string,
  { input, besides = [UNDER_WAY] }: { readonly input: object; readonly besides?: number[] },
): Promise<any> {
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => callProcess(n, user, { path, input, key })))
  const done = answers.filter((answer) => answer.code === 200)
  expect(answers.filter((answer) => answer.code !== 200 && !besides.includes(answer.code))).toEqual([])
  expect(done.length).toBeGreaterThan(0)
  for (const answer of done) expect(answer.data).toEqual(done[0]!.data)
  expect((await callProcess(0, user, { path, input, key })).data).toEqual(done[0]!.data)
  return done[0]!.data
}

async function aRichUser(dollars: bigint): Promise<BuiltUser> {
  const user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId, purchased: dollars * NANO_PER_USD })
  await aPayPassword(deps, user.userId, TO.payPassword)
  return user
}

const count = async (text: string, userId: string) => (await db.query<{ n: number }>(text, [userId]))[0]!.n

test('K2: an order, its refund: one effect for one key', async () => {
  const user = await aUser(deps)
  for (let round = 1; round <= ROUNDS; round++) {
    const { orderNo } = await callFiftyTimes(user, '/api/go/v1/payOrder', { input: ORDER })
    expect(await count('select count(*)::int as n from payments_orders where user_id = $1', user.userId)).toBe(round)
    const { payUrl } = (await callProcess(0, user, { path: '/api/go/v1/payParam', input: { order_id: orderNo, ...ORDER }, key: randomUUID() })).data
    await fetch(payUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
    const state = async () => (await callProcess(1, user, { path: '/v1/pay/tradeStatus', input: { orderNo }, key: randomUUID() })).data?.state
    await expect.poll(state, { interval: 50 }).toBe('fulfilled')
    await callFiftyTimes(user, '/pay/refund', { input: { orderNo } })
    expect(await count('select count(*)::int as n from payments_refunds r join payments_orders o on o.id = r.order_id where o.user_id = $1', user.userId)).toBe(
      round,
    )
  }
})

test('K2: a withdrawal: one effect for one key', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await aRichUser(100n)
    const { withdrawalNo } = await callFiftyTimes(user, '/v1/userWrapperApi/balanceRefund', { input: { amount: '10', ...TO }, besides: [UNDER_WAY, LOCKED] })
    expect(withdrawalNo).toMatch(/^W/)
    expect(await count('select count(*)::int as n from payments_withdrawals where user_id = $1', user.userId)).toBe(1)
  }
})

test('L4: two withdrawals of 80 on 100 at the same moment: exactly one', async () => {
  for (let round = 0; round < ROUNDS * 5; round++) {
    const user = await aRichUser(100n)
    const answers = await Promise.all(
      [0, 1].map((n) => callProcess(n, user, { path: '/v1/userWrapperApi/balanceRefund', input: { amount: '80', ...TO }, key: randomUUID() })),
    )
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect(await count('select count(*)::int as n from payments_withdrawals where user_id = $1', user.userId)).toBe(1)
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})
