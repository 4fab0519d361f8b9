import { beforeAll, expect, test } from 'vitest'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { SYSTEM } from '#platform/server/database/transact.ts'
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
import { insertPlannedUsage } from '../builders.ts'
import { selectCurrentModels } from '../catalogue/data.ts'
import { seedPrices } from '../catalogue/seed.ts'
import { gateway } from '../index.ts'
import { changeRoutes, changeUpstream } from '../upstreams/change-routes.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const WHY = { reasonCode: 'correction', reason: 'the vendor has raised prices' }
const MODEL = 'gpt-6-luna'

let owner: BuiltOperator
let second: BuiltOperator
beforeAll(async () => {
  await seedPrices(deps)
  owner = await anOperator(deps, ['owner'])
  second = await anOperator(deps, ['supply'])
})
const get = (path: string, input: object = {}) => call('GET', path, input, { token: owner.token })
async function run(name: string, input: object) {
  const { data } = await call('POST', `/operator/do/${name}/preview`, input, { token: owner.token })
  const asked = await call(
    'POST',
    `/operator/do/${name}`,
    { ...input, ...WHY, expects: data?.expects },
    { token: owner.token, idempotencyKey: `k${Math.random()}` },
  )
  return { preview: data, ...asked }
}
const approve = (no: string) => call('POST', '/operator/command/approve', { no }, { token: second.token })
const inputPrice = async (of = db) => formatUsd(BigInt((await selectCurrentModels(of)).find(({ modelId }) => modelId === MODEL)!.classes[0]!))
const isUndoable = async (no: string) => (await call('POST', '/operator/command/undo', { no }, { token: owner.token })).code

test('prices of next Monday: previewed, approved by another, visible as planned, cancelled before they hold', async () => {
  const was = await inputPrice()
  const more = formatUsd(parseUsd(was) * 2n)
  const from = new Date(clock.now().getTime() + 6 * 86_400_000).toISOString()
  const input = { title: '下周一', from, changes: [{ model: MODEL, prices: { input: more } }] }
  const tried = (await call('POST', '/operator/prices/try', { from, changes: input.changes }, { token: owner.token })).data.rows[0]
  expect(tried.classes.find((each: { name: string }) => each.name === 'input')).toEqual({
    ...{ name: 'input', now: was, then: more, vendor: was, marginNow: 0, marginThen: 5000, belowCost: false },
  })
  const planned = await run('price.plan', input)
  expect(planned.preview.shown.changes).toContainEqual({ name: `${MODEL} input`, before: was, after: more })
  expect([planned.data.state, planned.data.level]).toEqual(['waiting', 'second'])
  expect((await get('/operator/prices')).data.plans.filter((each: { byOperator: boolean }) => each.byOperator)).toEqual([])
  expect((await approve(planned.data.no)).data.state).toBe('done')
  expect((await get('/operator/prices')).data.plans).toContainEqual({ title: '下周一', byOperator: true, from, models: [MODEL] })
  const [row] = (await selectCurrentModels(db)).filter(({ modelId }) => modelId === MODEL)
  expect([await inputPrice(), row!.nextFrom?.toISOString()]).toEqual([was, from])

  expect((await run('price.plan', input)).code).toBe(3231)
  const cancelled = await run('price.cancel', { title: '下周一' })
  expect(cancelled.preview.shown.changes).toEqual([{ name: 'planned', before: 1, after: 0 }])
  expect(cancelled.data.state).toBe('done')
  expect((await get('/operator/prices')).data.plans.filter((each: { byOperator: boolean }) => each.byOperator)).toEqual([])
  expect((await selectCurrentModels(db)).find(({ modelId }) => modelId === MODEL)!.nextFrom).toBeNull()
  expect((await run('price.cancel', { title: '下周一' })).status).toBe(404)
  expect(await isUndoable(cancelled.data.no)).toBe(5017)
})

test('below the vendor’s price only with the loss acknowledged; too soon, unknown classes and models are refused', async () => {
  const was = await inputPrice()
  const less = formatUsd(parseUsd(was) / 2n)
  const from = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const input = { title: 'cheap', from, changes: [{ model: MODEL, prices: { input: less } }] }
  expect((await run('price.plan', input)).code).toBe(3232)
  expect((await run('price.plan', { ...input, from: new Date(clock.now().getTime() + 10_000).toISOString() })).code).toBe(3230)
  expect((await run('price.plan', { ...input, changes: [{ model: MODEL, prices: { seconds: '1' } }] })).status).toBe(400)
  expect((await run('price.plan', { ...input, changes: [{ model: 'no-such', prices: { input: '1' } }] })).status).toBe(404)
  const planned = await run('price.plan', { ...input, acceptLoss: true })
  expect((await approve(planned.data.no)).data).toMatchObject({ state: 'done', result: { belowCost: 1 } })
  const back = await call('POST', '/operator/command/undo', { no: planned.data.no }, { token: owner.token })
  expect(back.data.state).toBe('done')
  await expect(
    db.query(
      `insert into gateway_price_drops (version, by_operator) select version, 'x' from gateway_prices where model_id = $1 and valid_from < now() limit 1`,
      [MODEL],
    ),
  ).rejects.toThrow('holds already')
})

test('a draft’s effect on thirty days of use is computed from the usage of the calls', async () => {
  const at = new Date(clock.now().getTime() - 3_700_000)
  await insertPlannedUsage(db, [{ userId: 'usr_x', callId: 'c1', at, amount: 1n, model: MODEL }])
  await db.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest) values (1, current_date, $1, 'key_test', 10, 10, $2, 0, $2)`,
    [MODEL, parseUsd('30')],
  )
  const { rows } = (await get('/operator/prices')).data
  const { classes } = rows.find((each: { model: string }) => each.model === MODEL)
  const output = classes.find((each: { name: string }) => each.name === 'output').now as string
  const from = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const then = async (prices: object) =>
    (await call('POST', '/operator/prices/try', { from, changes: [{ model: MODEL, prices }] }, { token: owner.token })).data.rows[0]
  expect(await then({ output: formatUsd(parseUsd(output) * 2n) })).toMatchObject({ customers: 1, amountNow: '30', amountThen: '60', costs: '30' })
  expect(await then({ input: '9' })).toMatchObject({ amountThen: '30' })
})

test('a dry run shows where the last hour’s calls go when an upstream is drained, reweighted, or the last one is off', async () => {
  const server = { vendor: 'sandbox-openai', baseUrl: 'http://localhost:1/v1', credentialEnv: 'SANDBOX_UPSTREAM_KEY' }
  for (const [id, weight, priority] of [
    ['one', 75, 0],
    ['two', 25, 0],
    ['three', 100, 1],
  ] as const) {
    await changeUpstream(db, SYSTEM, { id, change: server, reason: 'test' })
    await changeRoutes(db, SYSTEM, { upstream: id, models: [MODEL], change: { weight, priority }, reason: 'test' })
  }
  const at = new Date(clock.now().getTime() - 600_000)
  await insertPlannedUsage(
    db,
    Array.from({ length: 40 }, (_, n) => ({ userId: 'usr_x', callId: `hour${n}`, at, amount: 1n, model: MODEL, upstream: 'one' })),
  )
  const dry = async (input: object) => (await call('POST', '/operator/routes/dryRun', { upstreamId: 'one', ...input }, { token: owner.token })).data
  const after = ({ rows }: { rows: { upstream: string; after: number }[] }) => Object.fromEntries(rows.map((row) => [row.upstream, row.after]))
  const all = 40
  expect(after(await dry({ state: 'draining' }))).toMatchObject({ one: 0, two: all })
  expect(after(await dry({ weights: [{ model: MODEL, weight: 25 }] }))).toMatchObject({ one: Math.round(all / 2) })
  await changeUpstream(db, SYSTEM, { id: 'two', change: { state: 'off' }, reason: 'test' })
  expect(after(await dry({ state: 'off' }))).toMatchObject({ three: all })
  await changeUpstream(db, SYSTEM, { id: 'three', change: { state: 'off' }, reason: 'test' })
  expect(await dry({ state: 'off' })).toMatchObject({ calls: all, unserved: all })
  const { upstreams } = (await get('/operator/upstreams')).data
  expect(upstreams.map((each: { id: string; state: string }) => [each.id, each.state])).toMatchObject([
    ['one', 'active'],
    ['three', 'off'],
    ['two', 'off'],
  ])
})
