import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { Jobs, SendOptions } from '#platform/server/jobs.ts'
import { createId } from '#platform/shared/ids.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { startPrivateReceiver } from '#platform/testing/addresses/private-receiver.ts'
import { account } from '#features/account/server/index.ts'
import { aUser, freezeAccount } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import type { StoredLimits } from '../keys/data-limits.ts'
import type { ApiKey } from '../hot/deps.ts'
import { gateway } from '../index.ts'
import { createJournal } from '../journal/journal.ts'
import { createPostgresQuota } from '../quota/postgres.ts'
import { selectBudgetWatches, selectLatestWebhooks } from './data-alerts.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { queueWebhook } from './queue-webhook.ts'
import { watchAlerts } from './watch.ts'

const USD = 1_000_000_000n
const HOOK = 'https://hooks.invalid/in'
let db: Db & { url: string; owner: Db }
let app: TestApp
beforeAll(async () => {
  db = await useTestDb({ max: 10 })
  app = createTestApp({ features: [wallet, notices, risk, account, gateway], db, clock: createTestClock() })
})

async function aMemberWithKey(limits: Partial<StoredLimits> = {}, purchased = 20n * USD) {
  const user = await aUser(app.deps, { email: `alerts-${Math.random().toString(36).slice(2)}@example.com` })
  await aFundedUser(db, { userId: user.userId, purchased })
  const { key } = await aKey(db, user.userId, { name: '生产', limits })
  await db.query('update gateway_keys set last_used_at = now() where key_id = $1', [key.keyId])
  return { ...user, key, call: app.callAs(user.token) }
}
async function spend(key: ApiKey, amount: bigint): Promise<void> {
  const journal = await createJournal(db, app.deps.log, { deadMs: 10_000 })
  const lease = await journal.admit(key, amount)
  if (!isLease(lease)) throw new Error(lease)
  const call = aReservedCall(key, lease, { held: amount })
  await journal.reserve(call, true)
  await journal.settle(aSettledCall(call, amount))
  await journal.stop()
}
/** Runs three watchers at once, like three workers, then their jobs. Webhooks go to a name that does not resolve. */
async function runThreeWatchers(): Promise<void> {
  await Promise.all([watchAlerts(app.deps), watchAlerts(app.deps), watchAlerts(app.deps)])
  await app.settle(20).catch((error: Error) => {
    if (!/webhook was not taken/.test(error.message)) throw error
  })
}
/** Inserts a delivery that is waiting to be sent. */
async function anAlert(userId: string, queued: () => void = () => {}): Promise<void> {
  const jobs: Jobs = { send: async () => queued() }
  await transact(db, SYSTEM, async (tx) => {
    await tx.audit('alert.told', `user:${userId}`)
    await queueWebhook({ jobs, clock: app.deps.clock }, tx, { userId, id: createId('evt'), event: 'key.budget', data: { threshold: 50 } })
  })
}
const mailsTo = async (email: string) => (await listSandboxMails(db, email)).map((mail) => mail.subject).filter((subject) => /预算|余额/.test(subject))
const listWebhookBodies = async (userId: string) =>
  (await selectLatestWebhooks(db, userId, 50)).map((row) => JSON.parse(row.body) as { type: string; data: Record<string, any> })

describe('budgets', () => {
  test('each threshold alerts once a day or month, a jump only the highest; a used-up budget refuses calls', async () => {
    const { key, email } = await aMemberWithKey({ dayBudget: USD, monthBudget: 10n * USD })
    await spend(key, USD / 2n - 1n)
    await runThreeWatchers()
    expect(await mailsTo(email)).toEqual([])
    await spend(key, 1n)
    await runThreeWatchers()
    await runThreeWatchers()
    expect(await mailsTo(email)).toEqual(['密钥“生产”今日预算已用 50%'])
    await spend(key, USD / 2n - 1n)
    await runThreeWatchers()
    expect((await mailsTo(email))[0]).toBe('密钥“生产”今日预算已用 80%')
    const quota = createPostgresQuota(db, () => 'node_test', app.deps.log)
    expect((await quota.take({ callId: 'call_alert', key, held: 2n, tokens: 1, startedAt: Date.now() })).refusal?.by).toBe('day')
    for (let i = 0; i < 200 && !(await db.query('select 1 from gateway_budget_refusals where key_id = $1', [key.keyId])).length; i++)
      await new Promise((done) => {
        setTimeout(done, 10)
      })
    await runThreeWatchers()
    await runThreeWatchers()
    expect(await mailsTo(email)).toEqual(['密钥“生产”今日预算已用完', '密钥“生产”今日预算已用 80%', '密钥“生产”今日预算已用 50%'])
    await quota.stop()
  })

  test('a user who switched the mails off gets none; the webhook is still sent', async () => {
    const { key, email, userId, call } = await aMemberWithKey({ monthBudget: USD })
    expect((await call('POST', '/user/updateMailChoices', { loginAlert: true, receipt: true, balanceAlert: false, productNews: false })).code).toBe(200)
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    await spend(key, (9n * USD) / 10n)
    await runThreeWatchers()
    expect(await mailsTo(email)).toEqual([])
    expect(await listWebhookBodies(userId)).toMatchObject([
      { type: 'key.budget', data: { key_id: key.keyId, period: 'month', threshold: 80, spent: '0.9', budget: '1' } },
    ])
  })
})

test('a check costs a few statements however many keys and users there are, and reads no key without a budget', async () => {
  const { userId, key } = await aMemberWithKey()
  await db.owner.query(
    `insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4)
     select 'key_many' || n, $1, $2, 'many', sha256(n::text::bytea), '0000' from generate_series(1, 3000) n`,
    [userId, key.accountId],
  )
  for (let i = 0; i < 30; i++)
    await db.query('insert into gateway_alert_settings (user_id, low_balance) values ($1, 1)', [await aFundedUser(db, { purchased: USD })])
  const spent = await aMemberWithKey({ dayBudget: USD, monthBudget: USD })
  await spend(spent.key, USD)
  await runThreeWatchers()
  let statements = 0
  const query: Db['query'] = (...args) => {
    statements++
    return db.query(...args)
  }
  await watchAlerts({ ...app.deps, db: { ...db, query } })
  expect(statements).toBe(3)
  const read = await transact(db, SYSTEM, async (tx) => {
    await tx.audit('test.look', 'alerts')
    const rowsRead = async () =>
      (await tx.query<{ n: bigint }>(`select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'gateway_keys'`))[0]!
        .n
    const before = await rowsRead()
    expect((await selectBudgetWatches(tx, '2026-11-22', { after: '', limit: 500 })).length).toBeGreaterThan(0)
    return (await rowsRead()) - before
  })
  expect(read).toBeLessThan(20n)
})

test('a low balance alerts once, and again only after it has been above', async () => {
  const { key, email, userId, call } = await aMemberWithKey({}, 10n * USD)
  expect((await call('POST', '/user/alerts', { lowBalance: '5', webhookUrl: HOOK })).code).toBe(200)
  await runThreeWatchers()
  expect(await mailsTo(email)).toEqual([])
  await spend(key, 6n * USD)
  await runThreeWatchers()
  await runThreeWatchers()
  expect(await mailsTo(email)).toEqual(['余额低于 $5.00'])
  expect(await listWebhookBodies(userId)).toMatchObject([{ type: 'balance.low', data: { balance: '4', threshold: '5' } }])
  await aFundedUser(db, { userId, purchased: 10n * USD })
  await runThreeWatchers()
  await spend(key, 10n * USD)
  await runThreeWatchers()
  expect(await mailsTo(email)).toHaveLength(2)
})

describe('webhooks', () => {
  test('only https with a public name; a new URL has a new secret, shown once and stored sealed', async () => {
    const { userId, call } = await aMemberWithKey()
    for (const webhookUrl of [
      'http://hooks.example.com',
      'https://user:pass@hooks.example.com',
      'https://localhost/x',
      'ftp://a.example',
      'hooks.example.com',
      'javascript:alert(1)',
    ])
      expect((await call('POST', '/user/alerts', { lowBalance: null, webhookUrl })).msg).toContain('https://')
    const first = await call('POST', '/user/alerts', { lowBalance: '1.5', webhookUrl: HOOK })
    expect(first.data.webhookSecret).toMatch(/^whsec_[\w-]{43}$/)
    expect((await call('POST', '/user/alerts', { lowBalance: '2', webhookUrl: HOOK })).data.webhookSecret).toBeNull()
    const { data, raw } = await call('GET', '/user/alerts')
    expect(data).toMatchObject({ lowBalance: '2', webhookUrl: HOOK, deliveries: [] })
    expect(raw.body).not.toContain('whsec_')
    const everywhere =
      JSON.stringify(await db.owner.query(`select encode(webhook_secret, 'escape') as s from gateway_alert_settings where user_id = $1`, [userId])) +
      JSON.stringify(await db.owner.query('select * from audit_rows where target = $1', [`user:${userId}`]), (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    expect(everywhere).not.toContain(first.data.webhookSecret.slice(6))
    const other = await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: `${HOOK}/2` })
    expect(other.data.webhookSecret).not.toBe(first.data.webhookSecret)
    expect((await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: null })).code).toBe(200)
    expect((await call('POST', '/user/alerts/test')).msg).toContain('Webhook')
  })

  test('is signed, and retried until it is accepted, also after a refusal of its address', async () => {
    const { userId, call } = await aMemberWithKey()
    const { data } = await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    await anAlert(userId)
    const [row] = await selectLatestWebhooks(db, userId, 1)
    const seen: { headers: Readonly<Record<string, string>>; body: string }[] = []
    const answer = (status: number) => async (sent: { headers: Readonly<Record<string, string>>; body: string }) => {
      seen.push(sent)
      return status
    }
    await expect(deliverWebhook(app.deps, row!.id, answer(500))).rejects.toThrow('HTTP 500')
    await expect(deliverWebhook(app.deps, row!.id, answer(302))).rejects.toThrow('HTTP 302')
    await expect(deliverWebhook(app.deps, row!.id, () => Promise.reject(new Error('the address is not public')))).rejects.toThrow('not public')
    expect((await call('GET', '/user/alerts')).data.deliveries).toMatchObject([
      { event: 'key.budget', state: 'waiting', attempts: 3, problem: { code: 'address', detail: '' } },
    ])
    await deliverWebhook(app.deps, row!.id, answer(204))
    await deliverWebhook(app.deps, row!.id, answer(204))
    expect(seen).toHaveLength(3)
    expect((await call('GET', '/user/alerts')).data.deliveries).toMatchObject([{ state: 'sent', attempts: 4, problem: null }])
    const { headers, body } = seen[2]!
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-mingxi-signature']!)!
    expect(createHmac('sha256', data.webhookSecret).update(`${t}.${body}`).digest('hex')).toBe(v1)
    expect(JSON.parse(body)).toMatchObject({ id: headers['x-mingxi-delivery'], type: 'key.budget' })
  })

  test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', 'hooks.inner.test'])('to %s, a private address, is refused without a connection', async (host) => {
    const receiver = await startPrivateReceiver('hooks.inner.test')
    try {
      const { userId, call } = await aMemberWithKey()
      expect((await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: `https://${host}:${receiver.port}/in` })).code).toBe(200)
      await anAlert(userId)
      const [row] = await selectLatestWebhooks(db, userId, 1)
      await expect(deliverWebhook(app.deps, row!.id)).rejects.toThrow('the address is not public')
      expect((await call('POST', '/user/alerts/test')).code).toBe(200)
      await app.settle()
      expect((await call('GET', '/user/alerts')).data.deliveries).toMatchObject([
        { event: 'test', state: 'failed', attempts: 1, problem: { code: 'address', detail: '' } },
        { event: 'key.budget', state: 'waiting', attempts: 1, problem: { code: 'address', detail: '' } },
      ])
      expect(receiver.connections()).toBe(0)
    } finally {
      await receiver.close()
    }
  })

  test('the pauses between twelve tries are about a day', async () => {
    const { userId } = await aMemberWithKey()
    const sent: (SendOptions | undefined)[] = []
    const jobs: Jobs = {
      send: (_tx, job) => {
        sent.push(typeof job === 'string' ? undefined : job)
        return Promise.resolve()
      },
    }
    await transact(db, SYSTEM, async (tx) => {
      await queueWebhook({ jobs, clock: app.deps.clock }, tx, { userId, id: 'evt_pauses', event: 'key.budget', data: {} })
      await tx.audit('alerts.tested', `user:${userId}`)
    })
    const { times, firstSeconds, longestSeconds } = sent[0]!.retry!
    expect(times).toBeGreaterThanOrEqual(11)
    let shortest = 0
    for (let n = 0; n < 11; n++) shortest += Math.min(firstSeconds * 2 ** n, longestSeconds)
    expect(shortest).toBeGreaterThan(14 * 3600)
    expect(shortest).toBeLessThan(30 * 3600)
    expect(firstSeconds).toBeLessThanOrEqual(60)
  })

  test('gives up after twelve tries, and at once when the webhook was removed', async () => {
    const { userId, call } = await aMemberWithKey()
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    await anAlert(userId)
    const [row] = await selectLatestWebhooks(db, userId, 1)
    for (let i = 0; i < 11; i++) await expect(deliverWebhook(app.deps, row!.id, async () => 503)).rejects.toThrow('HTTP 503')
    await deliverWebhook(app.deps, row!.id, async () => 503)
    expect((await selectLatestWebhooks(db, userId, 1))[0]).toMatchObject({ state: 'failed', attempts: 12 })
    await call('POST', '/user/alerts/test')
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: null })
    await deliverWebhook(app.deps, (await selectLatestWebhooks(db, userId, 1))[0]!.id, async () => 200)
    expect((await selectLatestWebhooks(db, userId, 1))[0]).toMatchObject({ state: 'failed', problem: 'the webhook was removed' })
  })

  test('a test goes out once, five in ten minutes, however many ask at once', async () => {
    const { userId, call } = await aMemberWithKey()
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    const answers = await Promise.all(Array.from({ length: 30 }, () => call('POST', '/user/alerts/test')))
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(5)
    const refused = answers.filter((answer) => answer.code !== 200)
    for (const { status, data } of refused) expect([status, data.retryAfterSeconds > 500 && data.retryAfterSeconds <= 600]).toEqual([429, true])
    const [row] = await selectLatestWebhooks(db, userId, 1)
    await deliverWebhook(app.deps, row!.id, async () => 503)
    expect((await selectLatestWebhooks(db, userId, 9)).find(({ id }) => id === row!.id)).toMatchObject({ state: 'failed', attempts: 1 })
  })

  test('at most fifty of a user wait; the rest is noted as failed and never queued', async () => {
    const { userId, call } = await aMemberWithKey()
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    let queued = 0
    await Promise.all(Array.from({ length: 60 }, () => anAlert(userId, () => void queued++)))
    const rows = await selectLatestWebhooks(db, userId, 100)
    expect([rows.length, queued, rows.filter((row) => row.state === 'waiting').length]).toEqual([60, 50, 50])
    expect((await call('GET', '/user/alerts')).data.deliveries.some((one: { problem: { code: string } | null }) => one.problem?.code === 'crowded')).toBe(true)
  })

  test('nothing goes out for a frozen user, what was waiting included', async () => {
    const { key, userId, call, email } = await aMemberWithKey({ dayBudget: USD })
    await call('POST', '/user/alerts', { lowBalance: null, webhookUrl: HOOK })
    await call('POST', '/user/alerts/test')
    await freezeAccount(app.deps, SYSTEM, { userId, reason: 'test' })
    const [row] = await selectLatestWebhooks(db, userId, 1)
    let calls = 0
    await deliverWebhook(app.deps, row!.id, async () => ++calls && 200)
    expect([calls, (await selectLatestWebhooks(db, userId, 1))[0]]).toMatchObject([0, { state: 'failed', problem: 'the account is frozen' }])
    await spend(key, USD)
    await runThreeWatchers()
    expect([await mailsTo(email), (await selectLatestWebhooks(db, userId, 9)).length]).toEqual([[], 1])
  })
})
