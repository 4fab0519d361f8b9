import { createHmac } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { startPrivateReceiver } from '#platform/testing/addresses/private-receiver.ts'
import { account } from '#features/account/server/index.ts'
import { gateway } from '#features/gateway/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { listSandboxMails, listSandboxSms } from '#features/notices/server/door.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { DEFAULT_RULES } from '../commands/rules.ts'
import { createBackoffice } from '../index.ts'
import { deliverAlarmHook } from './deliver-hook.ts'
import type { AlarmCondition } from './conditions.ts'
import { storeEvents, watchAlarms } from './watch.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const watch = watchAlarms()
const HOUR_MS = 3_600_000
let owner: BuiltOperator
let helper: BuiltOperator
beforeAll(async () => {
  owner = await anOperator(deps, ['owner'])
  helper = await anOperator(deps, ['supply'])
})

/** Runs a command like the page: preview, then the request with the preview's hash. */
async function run(name: string, input: object, who = owner) {
  const { data } = await call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'incident', reason: 'a reason of some length' }
  return call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
}
/** Advances the clock and refreshes the sessions, which expire after 30 minutes without use. */
async function later(ms: number): Promise<void> {
  clock.advance(ms)
  await db.query('update backoffice_sessions set created_at = $1, last_seen_at = $1, proven_at = $1', [clock.now()])
}
const open = async () => (await call('GET', '/operator/alarms', {}, { token: owner.token })).data.rows
const ways = async () => (await call('GET', '/operator/alarm/ways', {}, { token: owner.token })).data.ways
const subjects = async (mail: string) => (await listSandboxMails(db, mail)).map(({ subject }) => subject)
const stuck = () => db.query(`insert into outbox (event, payload, created_at) values ('x.y', '{}', now() - interval '10 minutes')`)
const unstuck = () => db.query('update outbox set delivered_at = now() where delivered_at is null')

test('a lasting state raises one alarm; without a way, owners get one mail when it is raised and one when it is over', async () => {
  await watch(deps)
  expect(await open()).toEqual([])
  await stuck()
  await Promise.all([watch(deps), watch(deps), watch(deps)])
  await watch(deps)
  expect(await open()).toMatchObject([{ name: 'outbox.stuck', severity: 'critical', runbook: 'system', times: 1, takenBy: null }])
  expect(await ways()).toMatchObject([{ operatorId: owner.id, kind: 'mail', severity: 'serious' }])
  await settle()
  expect(await subjects(owner.mail)).toEqual(['紧急告警：事件没有发出去'])
  const [{ id }] = await open()
  expect((await call('GET', '/operator/alarm', { id }, { token: helper.token })).data.deliveries).toMatchObject([{ kind: 'raised', state: 'sent' }])
  await unstuck()
  await watch(deps)
  await watch(deps)
  await settle()
  expect(await open()).toEqual([])
  expect(await subjects(owner.mail)).toEqual(['已恢复：事件没有发出去', '紧急告警：事件没有发出去'])
  // The same state later raises another alarm
  await stuck()
  await watch(deps)
  expect(await open()).toHaveLength(1)
  await unstuck()
  await watch(deps)
  await settle()
})

test('every process counts an event, and its alarm is over after an hour without it', async () => {
  const at = (ms: number) => new Date(clock.now().getTime() + ms)
  const seen = (times: number, ms = 0) =>
    new Map([
      ['payments.disputed', { times, lastAt: at(ms) }],
      ['services.done', { times: 9, lastAt: at(0) }],
    ])
  await Promise.all([storeEvents(deps, seen(2)), storeEvents(deps, seen(3))])
  expect(await open()).toMatchObject([{ name: 'payments.disputed', times: 5, severity: 'serious' }])
  await later(HOUR_MS)
  await watch(deps)
  expect(await open()).toEqual([])
})

test('a way is changed by the same command, tested five times at most, and ended; taking an alarm stops its messages', async () => {
  const text = { operatorId: helper.id, kind: 'sms', address: '+8613800138000', severity: 'serious' }
  expect((await run('alarm.tell', { ...text, address: 'not a number' })).status).toBe(400)
  expect((await run('alarm.tell', { ...text, quietFrom: '22:00' })).status).toBe(400)
  expect((await run('alarm.tell', text)).data).toMatchObject({ state: 'done' })
  const changed = await run('alarm.tell', { ...text, waitMinutes: 10, quietFrom: '22:00', quietTo: '07:00' })
  expect(changed.data.preview.changes).toContainEqual({ name: 'waitMinutes', before: 0, after: 10 })
  const way = (await ways()).find(({ kind }: { kind: string }) => kind === 'sms')
  expect(way).toMatchObject({ operatorId: helper.id, waitMinutes: 10, quietFrom: '22:00', quietTo: '07:00', address: '+86138***00' })
  expect((await call('POST', '/operator/command/undo', { no: changed.data.no }, { token: owner.token })).data.state).toBe('done')
  expect((await ways()).find(({ kind }: { kind: string }) => kind === 'sms')).toMatchObject({ waitMinutes: 0, quietFrom: null })
  for (let n = 0; n < 5; n++) expect((await call('POST', '/operator/alarm/test', { wayId: way.id }, { token: helper.token })).code).toBe(200)
  expect((await call('POST', '/operator/alarm/test', { wayId: way.id }, { token: helper.token })).status).toBe(429)
  const stranger = await anOperator(deps, ['support'])
  expect((await call('POST', '/operator/alarm/test', { wayId: way.id }, { token: stranger.token })).status).toBe(404)
  await settle()
  expect((await listSandboxSms(db, '+8613800138000')).map((sms) => sms.text)[0]).toBe('【明细】告警：测试。真正的告警会发到这里')
  await run('alarm.tell', { ...text, waitMinutes: 10 })
  await stuck()
  await watch(deps)
  const [{ id }] = await open()
  expect((await run('alarm.take', { alarm: id }, helper)).data).toMatchObject({ state: 'done', level: 'free' })
  expect((await run('alarm.take', { alarm: id })).code).not.toBe(200)
  await later(HOUR_MS)
  await watch(deps)
  await settle()
  expect((await listSandboxSms(db, '+8613800138000')).filter((sms) => !sms.text.includes('测试'))).toEqual([])
  await unstuck()
  await watch(deps)
  expect((await run('alarm.untell', { way: way.id })).data.state).toBe('done')
  expect((await ways()).some(({ kind }: { kind: string }) => kind === 'sms')).toBe(false)
})

test('a webhook is signed and retried until it is accepted, nine times at most; only its own operator sees its secret', async () => {
  const hook = { operatorId: helper.id, kind: 'webhook', severity: 'minor' }
  for (const address of ['http://hooks.example.com/x', 'https://user:pass@hooks.example.com', 'https://localhost/x', ''])
    expect((await run('alarm.tell', { ...hook, address })).status).toBe(400)
  const made = await run('alarm.tell', { ...hook, address: 'https://hooks.example.com/in' })
  expect(JSON.stringify(made.data)).not.toContain('whsec_')
  const way = (await ways()).find(({ kind }: { kind: string }) => kind === 'webhook')
  expect(way.address).toBe('hooks.example.com')
  const { secret, url } = (await call('POST', '/operator/alarm/secret', { wayId: way.id }, { token: helper.token })).data
  expect(url).toBe('https://hooks.example.com/in')
  const stranger = await anOperator(deps, ['support'])
  expect((await call('POST', '/operator/alarm/secret', { wayId: way.id }, { token: stranger.token })).status).toBe(404)
  await stuck()
  await watch(deps)
  const [raised] = await db.query<{ id: string }>(`select id from backoffice_alarm_deliveries where way_id = $1 and kind = 'raised'`, [way.id])
  const { id } = raised!
  const sent: { headers: Readonly<Record<string, string>>; body: string }[] = []
  const answer = (status: number) => async (request: (typeof sent)[number]) => (sent.push(request), status)
  await expect(deliverAlarmHook(deps, { id }, answer(500))).rejects.toThrow('HTTP 500')
  await deliverAlarmHook(deps, { id }, answer(204))
  await deliverAlarmHook(deps, { id }, answer(204))
  expect(sent).toHaveLength(2)
  const { headers, body } = sent[1]!
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-mingxi-signature']!)!
  expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1)
  expect(JSON.parse(body)).toMatchObject({
    id,
    type: 'alarm.raised',
    alarm: { name: 'outbox.stuck', severity: 'critical', runbook: 'docs/runbooks/system.md' },
  })
  // The next delivery has a receiver that stays unavailable
  await unstuck()
  await watch(deps)
  const [over] = await db.query<{ id: string }>(`select id from backoffice_alarm_deliveries where way_id = $1 and kind = 'closed'`, [way.id])
  for (let n = 0; n < 8; n++) await expect(deliverAlarmHook(deps, over!, answer(503))).rejects.toThrow('HTTP 503')
  await deliverAlarmHook(deps, over!, answer(503))
  expect((await ways()).find(({ kind }: { kind: string }) => kind === 'webhook').last).toMatchObject({
    state: 'failed',
    attempts: 9,
    problem: 'the answer was HTTP 503',
  })
})

test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', 'hooks.inner.test'])(
  'a webhook to %s, a private address, is refused without a connection',
  async (host) => {
    const receiver = await startPrivateReceiver('hooks.inner.test')
    try {
      const address = `https://${host}:${receiver.port}/in`
      expect((await run('alarm.tell', { operatorId: helper.id, kind: 'webhook', severity: 'critical', address })).data.state).toBe('done')
      const readRoute = async () => (await ways()).find((way: { address: string }) => way.address === `${host}:${receiver.port}`)
      const { id } = await readRoute()
      expect((await call('POST', '/operator/alarm/test', { wayId: id }, { token: helper.token })).code).toBe(200)
      await settle()
      expect((await readRoute()).last).toMatchObject({ kind: 'test', state: 'failed', attempts: 1, problem: 'the address is not public' })
      expect(receiver.connections()).toBe(0)
      await run('alarm.untell', { way: id })
    } finally {
      await receiver.close()
    }
  },
)

test('the secrets in a webhook’s URL are stored nowhere in the clear, also while an approval is pending', async () => {
  const rules = (more: object[]) => run('rules.change', { rules: [...DEFAULT_RULES, ...more] })
  expect((await rules([{ command: 'alarm.tell', level: 'second' }])).data.state).toBe('done')
  const url = 'https://hooks.example.com/services/T0CANARY?key=canary'
  const asked = await run('alarm.tell', { operatorId: helper.id, kind: 'webhook', severity: 'critical', address: url })
  expect(asked.data).toMatchObject({ state: 'waiting', input: { address: 'hooks.example.com' } })
  const { no } = asked.data
  const kept = async () =>
    JSON.stringify([await db.query('select input, preview, result, difference from backoffice_commands'), await db.query('select data from audit_rows')])
  expect(await kept()).not.toMatch(/canary/i)
  const shown = await call('GET', '/operator/command', { no }, { token: helper.token })
  expect(shown.data.now).toMatchObject({ refusal: null })
  expect(JSON.stringify(shown.data)).not.toMatch(/canary/i)
  expect((await call('POST', '/operator/command/approve', { no, reason: 'fine' }, { token: helper.token })).data).toMatchObject({ state: 'done' })
  const [made] = (await ways()).filter(({ severity }: { severity: string }) => severity === 'critical')
  expect((await call('POST', '/operator/alarm/secret', { wayId: made.id }, { token: helper.token })).data.url).toBe(url)
  expect(await kept()).not.toMatch(/canary/i)
  await rules([])
  await run('alarm.untell', { way: made.id })
})

const runChecks = (found: readonly AlarmCondition[]) => watchAlarms([async () => found])(deps)
const certificate = (severity: 'serious' | 'critical') => [{ name: 'certificate.expires', key: 'a.example', detail: 'a.example', severity }]

test('an alarm is released after four hours, when it worsens or when its taker is suspended, and is not reported as over', async () => {
  for (const { id, kind } of await ways()) if (kind === 'webhook') await run('alarm.untell', { way: id })
  await runChecks(certificate('serious'))
  await run('alarm.take', { alarm: (await open())[0].id }, helper)
  await later(3 * HOUR_MS)
  await runChecks(certificate('serious'))
  expect(await open()).toMatchObject([{ takenBy: helper.id }])
  await runChecks(certificate('critical'))
  expect(await open()).toMatchObject([{ severity: 'critical', takenBy: null }])
  await run('alarm.take', { alarm: (await open())[0].id }, helper)
  await later(4 * HOUR_MS + 1000)
  await runChecks(certificate('critical'))
  expect(await open()).toMatchObject([{ takenBy: null }])
  const gone = await anOperator(deps, ['support'])
  await run('alarm.take', { alarm: (await open())[0].id }, gone)
  await db.query(`update backoffice_operators set status = 'suspended' where id = $1`, [gone.id])
  await runChecks(certificate('critical'))
  expect(await open()).toMatchObject([{ takenBy: null }])
  await settle()
  const told = (await subjects(owner.mail)).filter((subject) => subject.includes('证书'))
  expect(told).toHaveLength(4)
  expect(told.filter((subject) => subject.startsWith('已恢复'))).toEqual([])
  await runChecks([])
  await settle()
  expect((await subjects(owner.mail)).filter((subject) => subject.includes('证书') && subject.startsWith('已恢复'))).toHaveLength(1)
})

test('mail replaces a way that cannot deliver: a webhook reporting its own failure, a text beyond the limit', async () => {
  expect((await run('setting.change', { key: 'notices.smsPerHour', value: 0 })).data.state).toBe('done')
  await run('alarm.tell', { operatorId: helper.id, kind: 'sms', address: '+8613800138001', severity: 'serious' })
  await run('alarm.tell', { operatorId: helper.id, kind: 'webhook', address: 'https://hooks.example.com/out', severity: 'serious' })
  await storeEvents(deps, new Map([['alarms.webhook_failed', { times: 1, lastAt: clock.now() }]]))
  await watch(deps)
  await settle()
  const [{ id }] = await open()
  const { deliveries } = (await call('GET', '/operator/alarm', { id }, { token: helper.token })).data
  expect(deliveries.map(({ state }: { state: string }) => state).toSorted()).toEqual(['failed', 'sent', 'sent'])
  expect((await subjects(helper.mail)).filter((subject) => subject.includes('Webhook'))).toHaveLength(2)
})
