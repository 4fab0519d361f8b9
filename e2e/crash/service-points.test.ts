import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aCardOrder } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { callPlatform } from '../visitor.ts'
import { isProcessAlive, persistThroughCrashes } from './persist.ts'

// L6, G3: killed at each point of an order, a service starts once, its supplier delivers once, and its price is charged once.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = ['payments.balance-before-commit', 'services.before-call', 'services.after-call', 'services.before-commit']
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,card,identity,mail,service' }
const PIN = '271828'
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env, crashes: true })
  db = connect(server.databaseUrl, { max: 4 })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = createTestApp({ features: [account, cards, identity], db, overrides: { secretKey, publicUrl: () => server.baseUrl } }))
  await waitForValue(async () => (await db.query('select 1 as one from flex_seats limit 1'))[0], 'seats for sale')
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const user = await aUser(deps)
    await aPayPassword(deps, user.userId, PIN)
    await aFundedUser(db, { userId: user.userId })
    const headers = { accesstoken: user.token }
    const ask = (path: string, body: object, key: string) =>
      callPlatform(server, 'POST', { path, input: body, headers: { ...headers, 'idempotency-key': key } })
    const { data } = await ask('/v1/tool/openaiPlus/applySharePlus', { packageId: 2 }, `apply-${user.userId}`)
    const killed = server.pid()
    server.crashAt(point)
    const { orderType, service } = data.pay
    const paid = await persistThroughCrashes(
      server,
      async () => {
        const reply = await ask('/v1/pay/balancePay', { orderType, service, payPassword: PIN }, `pay-${user.userId}`)
        return reply.code === 4003 ? undefined : reply.code
      },
      { what: 'a paid order' },
    )
    expect(paid).toBe(200)
    await waitForValue(async () => {
      if (!isProcessAlive(server.pid())) await server.restart()
      await db.query(`update services_tasks set next_check_at = now() where id = $1 and phase = 'waiting' and next_check_at > now()`, [data.taskId])
      const [row] = await db.query<{ state: string }>('select state from services_tasks where id = $1', [data.taskId])
      return row!.state === 'in_use' ? true : undefined
    }, 'a subscription in use')
    expect(server.pid(), `${point} was never reached`).not.toBe(killed)
    const { posted, held } = await readBalance(db, user.userId)
    expect([formatUsd(posted), held]).toEqual(['90.1', 0n])
    expect(posted).toBe(100n * NANO_PER_USD - 9_900_000_000n)
    const [order] = await db.query<{ state: string }>(
      'select o.state from payments_orders o join services_tasks t on t.order_no = o.order_no where t.id = $1',
      [data.taskId],
    )
    expect(order!.state).toBe('fulfilled')
  }
  const [books] = await db.query<{ theirs: bigint; ours: bigint; orders: bigint }>(
    `select (select count(*) from flex_sandbox_members where state = 'active') as theirs, (select count(*) from flex_seats where task_id is not null) as ours,
      (select count(*) from payments_orders where order_type = 9) as orders`,
  )
  expect(books).toEqual({ theirs: books!.ours, ours: books!.ours, orders: books!.ours })
  expect((await verifyLedger(db)).problems).toEqual([])
})

/** A member with a card of the sandbox's issuer, and $25.00 on it. */
async function aCardMember(): Promise<{ readonly token: string; readonly cardId: string }> {
  const { userId, token } = await aUser(deps)
  await aPayPassword(deps, userId, PIN)
  await aFundedUser(db, { userId })
  await aReadyHolder(deps, userId)
  const cardId = await aCardOrder(deps, userId)
  await waitForValue(async () => {
    await db.query('update cards_cards set next_check_at = now() where id = $1 and next_check_at > now()', [cardId])
    return (await db.query(`select 1 as one from cards_cards where id = $1 and state = 'active'`, [cardId]))[0]
  }, 'a card that works')
  const headers = { 'accesstoken': token, 'idempotency-key': createId('key') }
  const recharge = { cardId, amount: '26', channelType: 5, payPassword: PIN }
  expect((await callPlatform(server, 'POST', { path: '/v1/virtualCard/cardRecharge', input: recharge, headers })).code).toBe(200)
  await waitForValue(
    async () => (await db.query(`select 1 as one from wallet_accounts where owner = $1 and posted = $2`, [`card:${cardId}`, 25n * NANO_PER_USD]))[0],
    'money on the card',
  )
  return { token, cardId }
}

// G6: killed while an amount is held on a card, and while it is captured or released, an upgrade starts once and is paid once.
test.each(['upgrade.queue-before-commit', 'upgrade.ended-before-commit'])('%s', async (point) => {
  await db.query(
    `insert into settings (key, value, updated_by) values ('upgrade.supplier', '"sandbox"', 'test'), ('services.hours', '{"from":0,"to":24}', 'test') on conflict (key) do nothing`,
  )
  for (let kill = 0; kill < KILLS; kill++) {
    const { token, cardId } = await aCardMember()
    const ask = (path: string, body: object, key: string) =>
      callPlatform(server, 'POST', { path, input: body, headers: { 'accesstoken': token, 'idempotency-key': key } })
    const link = `https://pay.openai.com/c/pay/cs_live_${createId('a').replaceAll('_', '')}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
    const { data } = await ask('/reward/bindTask', { plan: 'chatgpt-plus', account: `${createId('a')}@fastmail.com`, link }, createId('key'))
    const killed = server.pid()
    server.crashAt(point)
    const key = createId('key')
    const queued = await persistThroughCrashes(
      server,
      async () => {
        const { code } = await ask('/reward/bindQueue', { id: data.id, cardId, total: '20', payPassword: PIN }, key)
        return code === 4003 ? undefined : code
      },
      { what: 'a queued upgrade' },
    )
    expect(queued).toBe(200)
    await waitForValue(async () => {
      if (!isProcessAlive(server.pid())) await server.restart()
      await db.query(`update services_tasks set next_check_at = now() where service = 'upgrade' and phase = 'waiting' and next_check_at > now()`)
      return (await db.query('select 1 as one from upgrade_orders where id = $1 and ended_at is not null', [data.id]))[0]
    }, 'an upgrade that has ended')
    expect(server.pid(), `${point} was never reached`).not.toBe(killed)
    const [row] = await db.query(
      `select o.outcome, h.outcome as money, h.used, h.left_nano, a.posted, a.held, (select count(*) from upgrade_sandbox where key like o.task_id || ':%') as placed
        from upgrade_orders o join cards_task_holds h on h.id = o.task_id join wallet_accounts a on a.owner = 'card:' || o.card_id and a.kind = 'card' where o.id = $1`,
      [data.id],
    )
    expect(row).toEqual({ outcome: 'done', money: 'charged', used: 20n * NANO_PER_USD, leftNano: 0n, posted: 5n * NANO_PER_USD, held: 0n, placed: 1n })
  }
  expect((await db.query('select 1 as one from cards_task_holds where closed_at is null')).length).toBe(0)
  expect((await verifyLedger(db)).problems).toEqual([])
})
