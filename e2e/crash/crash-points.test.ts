import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { isProcessAlive, persistThroughCrashes } from './persist.ts'

// L6: the process is killed with SIGKILL at each named point, five times; the visitor retries with the same key and the order reaches its
// only correct state without manual intervention. The sandbox's own book is the reference.
/** Number of kills per point; CRASH_KILLS=5 for a release. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = [
  'payments.order-before-commit',
  'payments.before-provider-call',
  'payments.after-provider-call',
  'payments.before-notice',
  'payments.notice-before-commit',
  'payments.notice-before-ack',
  'payments.after-query',
  'payments.before-journal',
  'payments.after-journal',
  'wallet.before-journal',
  'wallet.after-journal',
  'outbox.before-mark',
]

let server: TestServer
let db: Db
let token: string

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail' }, crashes: true })
  db = connect(server.databaseUrl, { max: 2 })
  token = (await registerByHttp(server)).token
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

/** Number of undelivered outbox events. */
const countUndelivered = async () => (await db.query<{ n: number }>('select count(*)::int as n from outbox where delivered_at is null'))[0]!.n

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await persistThroughCrashes(
      server,
      async () =>
        (await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })).data?.balance as string | undefined,
    )
    // pending deliveries of an earlier round would kill this process before it is up
    await persistThroughCrashes(server, async () => ((await countUndelivered()) === 0 ? true : undefined))
    server.crashAt(point)
    const killed = server.pid()
    const key = randomUUID()
    const pay = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
    const order = await persistThroughCrashes(server, async () => {
      const reply = await callPlatform(server, 'POST', {
        path: '/api/go/v1/payOrder',
        input: { orderType: 10, amount: '5', ...pay },
        headers: { 'accesstoken': token, 'idempotency-key': key },
      })
      if (reply.code !== 200) throw new Error(reply.msg)
      return reply.data as { orderNo: string }
    })
    const params = await persistThroughCrashes(server, async () => {
      const reply = await callPlatform(server, 'POST', {
        path: '/api/go/v1/payParam',
        input: { order_id: order.orderNo, ...pay },
        headers: { accesstoken: token },
      })
      return reply.code === 200 ? (reply.data as { payUrl: string }) : undefined
    })
    await persistThroughCrashes(server, async () => {
      const reply = await fetch(params.payUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
      return reply.status === 303 ? true : undefined
    })
    await persistThroughCrashes(server, async () =>
      (await callPlatform(server, 'POST', { path: '/v1/pay/tradeStatus', input: { orderNo: order.orderNo }, headers: { accesstoken: token } })).data?.state ===
      'fulfilled'
        ? true
        : undefined,
    )
    await persistThroughCrashes(server, async () =>
      (await countUndelivered()) === 0 || !isProcessAlive(server.pid()) ? (isProcessAlive(server.pid()) ? true : Promise.reject(new Error('dead'))) : undefined,
    )
    // the webhook may arrive after the page's own query has settled the order
    for (let waited = 0; server.pid() === killed && isProcessAlive(server.pid()) && waited < scaleTimeout(10_000); waited += 50)
      await new Promise((done) => setTimeout(done, 50))
    if (!isProcessAlive(server.pid())) await server.restart()
    expect(server.pid(), `${point} was never reached`).not.toBe(killed)
    const after = (await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })).data.balance as string
    expect(Number(after) - Number(before)).toBe(5)
    const again = await callPlatform(server, 'POST', {
      path: '/api/go/v1/payOrder',
      input: { orderType: 10, amount: '5', ...pay },
      headers: { 'accesstoken': token, 'idempotency-key': key },
    })
    expect(again.data.orderNo).toBe(order.orderNo)
  }
  const [books] = await db.query(`select
    (select count(*)::int from payments_orders) as orders,
    (select count(*)::int from payments_orders where state = 'fulfilled') as fulfilled,
    (select count(*)::int from wallet_transfers where debit_kind = 'wash' and credit_kind = 'customer') as credits`)
  expect(books?.['fulfilled']).toBe(books?.['orders'])
  expect(books?.['credits']).toBe(books?.['orders'])
  expect((await verifyLedger(db)).problems).toEqual([])
})
