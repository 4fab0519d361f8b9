import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { createSiteFeature } from '../index.ts'

const product = [account, notices, payments, risk, wallet, createSiteFeature([])]
const db = await useTestDb()
const clock = createRunningClock()
const all = [...product, createBackoffice(product)]
const { call, deps } = createTestApp({ features: all, db, clock, surface: 'operators' })
const pages = createTestApp({ features: all, db, clock })
const DAY_MS = 86_400_000
let helper: BuiltOperator
beforeAll(async () => {
  helper = await anOperator(deps, ['support'])
})

const preview = (name: string, input: object, who = helper) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(name: string, input: object, who = helper) {
  const { data } = await preview(name, input, who)
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'maintenance', reason: 'a reason of some length' }
  return call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
}
const undo = async (no: string) => (await call('POST', '/operator/command/undo', { no }, { token: helper.token })).data
const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
const words = (title: string, wish: object = {}) => ({ titleZh: title, titleEn: `${title} in English`, from: at(-1000), until: at(DAY_MS), ...wish })
/** Advances the clock and renews operator sessions, which expire after 30 minutes without use. */
async function later(ms: number): Promise<void> {
  clock.advance(ms)
  await db.query('update backoffice_sessions set created_at = $1, last_seen_at = $1, proven_at = $1', [clock.now()])
}
/** Titles that a page receives after its cached copy expired. */
async function shown(): Promise<string[]> {
  clock.advance(3_000)
  const reply = await pages.inject({ method: 'GET', url: '/announcements.json' })
  expect(reply.headers['cache-control']).toBe('public, max-age=30')
  return reply.json<{ announcements: { zh: { title: string } }[] }>().announcements.map(({ zh }) => zh.title)
}

test('a plan is shown from its time until its end, in both languages; the preview leaves nothing', async () => {
  const input = words('夜间维护', {
    textZh: '23 点到 24 点',
    textEn: '11 pm to midnight',
    href: '/help',
    kind: 'warning',
    from: at(DAY_MS),
    until: at(2 * DAY_MS),
  })
  expect((await preview('announcement.plan', input)).data.shown.changes).toContainEqual({ name: 'on', before: false, after: true })
  expect((await call('GET', '/operator/announcements', {}, { token: helper.token })).data.rows).toEqual([])
  expect((await run('announcement.plan', input)).data).toMatchObject({ state: 'done', level: 'stepUp' })
  expect((await run('announcement.plan', input)).status).toBe(400)
  expect(await shown()).toEqual([])
  await later(DAY_MS)
  expect(await shown()).toEqual(['夜间维护'])
  const reply = await pages.inject({ method: 'GET', url: '/announcements.json' })
  expect(reply.json()).toMatchObject({
    announcements: [{ kind: 'warning', en: { title: '夜间维护 in English', text: '11 pm to midnight' }, link: '/help', place: 'everywhere' }],
  })
  await later(DAY_MS)
  expect(await shown()).toEqual([])
  expect((await call('GET', '/operator/announcements', { view: 'over' }, { token: helper.token })).data.rows).toMatchObject([
    { titleZh: '夜间维护', state: 'over' },
  ])
})

test('an announcement is undone in one step, changed and changed back, taken off and put back; the most urgent is first', async () => {
  const writer = await anOperator(deps, ['support'])
  helper = writer
  const first = await run('announcement.plan', words('新模型'))
  expect(await shown()).toEqual(['新模型'])
  expect(await undo(first.data.no)).toMatchObject({ state: 'done' })
  expect(await shown()).toEqual([])
  await run('announcement.plan', words('价格'))
  await run('announcement.plan', words('故障', { kind: 'warning', from: at(-60_000) }))
  expect(await shown()).toEqual(['故障', '价格'])
  const [fault] = (await call('GET', '/operator/announcements', {}, { token: writer.token })).data.rows
  const changed = await run('announcement.change', { announcement: fault.id, ...words('故障已恢复') })
  expect(await shown()).toContain('故障已恢复')
  expect(await undo(changed.data.no)).toMatchObject({ state: 'done' })
  expect(await shown()).toEqual(['故障', '价格'])
  // undo could not distinguish two with the same title
  expect((await run('announcement.change', { announcement: fault.id, ...words('价格') })).status).toBe(400)
  const ended = await run('announcement.end', { announcement: '故障' })
  expect(await shown()).toEqual(['价格'])
  expect(await undo(ended.data.no)).toMatchObject({ state: 'done' })
  expect(await shown()).toEqual(['故障', '价格'])
})

test('invalid times, unsafe links, half a translation and operators without the permission are refused', async () => {
  for (const wish of [
    { until: at(-1) },
    { until: at(-2000), from: at(-1000) },
    { until: at(93 * DAY_MS) },
    { href: '//evil.example' },
    { href: 'javascript:alert(1)' },
    { href: 'http://plain.example' },
    { href: 'https://evil.example/sign-in' },
    { href: '/\\evil.example' },
    { textZh: '只有中文' },
    { titleEn: '' },
  ])
    expect([wish, (await run('announcement.plan', words('坏的', wish))).status]).toEqual([wish, 400])
  const reader = await anOperator(deps, ['auditor'])
  expect((await run('announcement.plan', words('越权'), reader)).status).toBe(403)
})
