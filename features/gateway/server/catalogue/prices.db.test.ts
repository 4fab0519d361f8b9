import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { createLog } from '#platform/server/log.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createCatalogue } from './catalogue.ts'
import { insertPrice, selectCurrentModels } from './data.ts'
import type { Route } from '../hot/deps.ts'
import { startListener } from '../keys/listener.ts'
import file from './prices/2026-11-20.json' with { type: 'json' }
import announced from './prices/2026-11-21.json' with { type: 'json' }
import media from './prices/2026-11-21-media.json' with { type: 'json' }
import terms from './prices/2026-11-22.json' with { type: 'json' }
import { seedPrices } from './seed.ts'

const log = createLog('silent')
const routes = [{ upstream: {} as Route['upstream'], upstreamModel: 'm' }]
let db: Db & { url: string; owner: Db }
beforeAll(async () => {
  db = await useTestDb()
  // the days in this test are those of the price files
  for (const table of ['gateway_models', 'gateway_prices']) await db.owner.query(`drop trigger test_as_written on ${table}`)
})

const PRICES = join(import.meta.dirname, 'prices')
const aCatalogue = (day = '2026-11-20') => createCatalogue(db, () => routes, { log, now: () => new Date(`${day}T12:00:00+08:00`) })
/** Price after the last guaranteed day of the promotion. */
const LIST_PRICE = { input: '5.00', output: '30.00', cachedInput: '0.50', cacheWrite5m: '6.25' }
const eightClasses = (input: bigint) => [input, null, null, null, 5n, null, null, null]

test('processes that start at once load the dated file once', async () => {
  await Promise.all([seedPrices({ db }), seedPrices({ db }), seedPrices({ db })])
  await seedPrices({ db })
  const amended = new Set(terms.changes.flatMap(({ ids }) => ids))
  const files = readdirSync(PRICES).map((name) => JSON.parse(readFileSync(join(PRICES, name), 'utf8')) as { models?: unknown[] })
  const listed = files.reduce((sum, { models }) => sum + (models?.length ?? 0), 0)
  expect(await db.query('select count(*)::int as models, (select count(*)::int from gateway_prices) as prices from gateway_models')).toEqual([
    // An amended model has one more row, and one for each announcement.
    { models: listed, prices: listed + 2 * announced.changes.length + amended.size },
  ])
  const catalogue = await aCatalogue()
  const inForce = new Map(announced.changes.filter((change) => new Date(change.from) <= new Date()).map((change) => [change.id, change.prices]))
  for (const listed of file.models) {
    const given = { ...listed, prices: { ...(inForce.get(listed.id) ?? listed.prices), ...(listed.id === 'gpt-5.6-sol' ? LIST_PRICE : {}) } }
    const model = catalogue.find(given.id)!
    expect(model.prices.input).toBe(parseUsd(given.prices.input))
    expect(model.prices.output).toBe(parseUsd(given.prices.output ?? '0'))
    expect(model.prices.cacheWrite5m).toBe(given.prices.cacheWrite5m === null ? undefined : parseUsd(given.prices.cacheWrite5m))
    expect(model.prices.longContext?.aboveInputTokens).toBe(given.longContext?.aboveInputTokens)
    for (const alias of given.aliases) expect(catalogue.find(alias)).toBe(model)
  }
  // Prices of other units. Older rows end after eight classes.
  for (const listed of media.models) {
    const { kind, prices } = catalogue.find(listed.id)!
    expect(kind).toBe(listed.kind)
    for (const name of ['imageOutput', 'characters', 'seconds', 'searches'] as const)
      expect(prices[name]).toBe(listed.prices[name] === null ? undefined : parseUsd(listed.prices[name]))
  }
  expect(catalogue.find('whisper-1')!.prices.seconds).toBe(100_000_000_000n)
  catalogue.stop()
})

test('charges beyond tokens apply to earlier prices and to announced ones', async () => {
  const catalogue = await aCatalogue()
  const terra = catalogue.find('gpt-6.1-terra')!.prices
  expect(terra).toMatchObject({ input: parseUsd('1.00'), cacheWrite12h: parseUsd('2.50'), webSearches: parseUsd('10000'), containers: parseUsd('30000') })
  expect(terra.factors).toEqual({ flex: 500_000n, priority: 2_000_000n })
  expect(terra.longContext!.prices).toMatchObject({ input: parseUsd('2.00'), cacheWrite12h: parseUsd('5.00') })
  expect(catalogue.find('gpt-5.5')!.prices.factors).toEqual({ flex: 500_000n, priority: 2_500_000n })
  expect(catalogue.find('gpt-5.6-sol')!.prices).toMatchObject({ input: parseUsd('5.00'), output: parseUsd('30.00') })
  expect(catalogue.find('gpt-5.6-sol')!.prices.longContext!.prices).toMatchObject({ input: parseUsd('10.00'), output: parseUsd('45.00') })
  expect(catalogue.find('claude-opus-5-5')!.prices).toMatchObject({ codeSeconds: 13_888_888_889n, factors: { fast: 2_000_000n, us: 1_100_000n } })
  expect(catalogue.find('claude-opus-4-8')!.prices.factors).toEqual({ us: 1_100_000n })
  expect(catalogue.find('gemini-2.5-flash')!.prices).toMatchObject({ groundedPrompts: parseUsd('35000'), mapPrompts: parseUsd('25000') })
  expect(catalogue.find('gemini-2.5-flash')!.prices.webSearches).toBeUndefined()
  expect(catalogue.find('whisper-1')!.prices.factors).toBeUndefined()
  const later = await db.query<{ classes: string[]; factors: string[] }>(
    `select classes::text[], factors::text[] from gateway_prices where model_id = 'gemini-4-argon' order by valid_from desc, version desc limit 1`,
  )
  expect([later[0]!.classes[0], later[0]!.classes[15], later[0]!.factors[0]]).toEqual(['4000000000', '14000000000000', '500000'])
  catalogue.stop()
})

test('models over sockets follow the others, with their own classes', async () => {
  const catalogue = await aCatalogue()
  const mini = catalogue.find('gpt-realtime-2.1-mini')!
  expect([mini.kind, mini.prices.cachedInput, mini.prices.cachedAudio, mini.prices.audioOutput]).toEqual([
    'realtime',
    60_000_000n,
    300_000_000n,
    20_000_000_000n,
  ])
  expect(catalogue.list()[0]!.id).toBe(file.models[0]!.id)
  expect(catalogue.list()[file.models.length]!.kind).toBe('realtime')
  catalogue.stop()
})

test('a price that an operator set is not undone by the next start', async () => {
  await insertPrice(db, { modelId: 'gpt-4o', classes: eightClasses(9n), longAbove: null, longClasses: null }, { validFrom: new Date(), source: 'operator' })
  await seedPrices({ db })
  const catalogue = await aCatalogue()
  expect(catalogue.find('gpt-4o')!.prices.input).toBe(9n)
  catalogue.stop()
})

test('M5: a new price has a new version; a call with the old one keeps its figures; rows cannot be rewritten', async () => {
  const catalogue = await aCatalogue()
  const listener = startListener(
    db,
    {
      gateway_prices: () => {
        void catalogue.reload()
      },
    },
    { onGap: () => {}, log },
  )
  await expect.poll(() => listener.sure()).toBe(true)
  const before = catalogue.find('gpt-5.6')!
  const version = await insertPrice(
    db,
    { modelId: before.id, classes: eightClasses(123n), longAbove: null, longClasses: null },
    { validFrom: new Date(), source: 'test' },
  )
  await expect.poll(() => catalogue.find('gpt-5.6')!.prices.version).toBe(Number(version))
  expect(catalogue.find('gpt-5.6')!.prices.input).toBe(123n)
  expect(before.prices.version).not.toBe(Number(version))
  expect(before.prices.input).not.toBe(123n)
  await expect(db.query('update gateway_prices set classes = $1::bigint[] where version = $2', [eightClasses(1n), version])).rejects.toThrow()
  await expect(db.owner.query('delete from gateway_prices where version = $1', [version])).rejects.toThrow('append-only')
  await listener.stop()
  catalogue.stop()
})

test('a price with a later start is in force from then on', async () => {
  const catalogue = await aCatalogue()
  await insertPrice(
    db,
    { modelId: 'o3', classes: eightClasses(77n), longAbove: null, longClasses: null },
    { validFrom: new Date(Date.now() + 600), source: 'later' },
  )
  await catalogue.reload()
  expect(catalogue.find('o3')!.prices.input).not.toBe(77n)
  await expect.poll(() => catalogue.find('o3')!.prices.input).toBe(77n)
  catalogue.stop()
})

test('an announced price waits for its day, and does not replace a price that an operator set', async () => {
  const rows = await db.query<{ id: string; at: Date; input: string }>(
    `select model_id as id, valid_from as at, classes[1]::text as input from gateway_prices where source = 'prices/2026-11-21' order by 2, 1`,
  )
  expect(rows.map((row) => [row.id, row.at.toISOString(), BigInt(row.input)])).toEqual([
    ['gemini-4-argon', '2026-12-01T08:00:00.000Z', parseUsd('4.00')],
    ['gemini-3.6-flash', '2027-01-01T08:00:00.000Z', parseUsd('1.50')],
    ['gemini-3.8-flash', '2027-01-01T08:00:00.000Z', parseUsd('1.50')],
  ])
  const flash = (await selectCurrentModels(db)).find((model) => model.modelId === 'gemini-3.8-flash')!
  if (new Date() < new Date('2027-01-01T08:00:00Z'))
    expect([flash.nextFrom?.toISOString(), flash.nextClasses?.[0]]).toEqual(['2027-01-01T08:00:00.000Z', '1500000000'])
  const other = await useTestDb()
  await insertModel(other, 'gemini-4-argon')
  await insertPrice(
    other,
    { modelId: 'gemini-4-argon', classes: eightClasses(9n), longAbove: null, longClasses: null },
    { validFrom: new Date(), source: 'operator' },
  )
  await seedPrices({ db: other })
  expect(await other.query(`select 1 from gateway_prices where model_id = 'gemini-4-argon' and valid_from > now()`)).toEqual([])
})

test('end of life: deprecated, then its successor answers for two weeks, then a 404 that names it', async () => {
  expect((await aCatalogue('2026-11-20')).find('gemini-2.5-pro')!.lifecycle).toBe('active')
  expect((await aCatalogue('2026-11-20')).find('gpt-5')!.lifecycle).toBe('deprecated')
  const retired = await aCatalogue('2026-12-05')
  expect(retired.find('gemini-2.5-pro')!.id).toBe('gemini-3.8-flash')
  expect(retired.list().some((model) => model.id === 'gemini-2.5-pro')).toBe(false)
  expect(retired.find('gemini-2.5-pro')!.notice).toEqual(['x-mingxi-model', 'gemini-3.8-flash', 'x-mingxi-rerouted-from', 'gemini-2.5-pro'])
  expect(retired.find('gemini-2.5-pro')!.answersFor).toBe('gemini-2.5-pro')
  expect(retired.find('gemini-3.8-flash')!.notice).toBeUndefined()
  expect(retired.find('gemini-3.8-flash')!.answersFor).toBeUndefined()
  // A retired model is kept only so that a refusal can name its successor.
  const gone = await aCatalogue('2026-12-16')
  expect(gone.find('gemini-2.5-pro')).toMatchObject({ lifecycle: 'retired', successor: 'gemini-3.8-flash' })
  expect(gone.list().some((model) => model.id === 'gemini-2.5-pro')).toBe(false)
})

test('a deprecated model says so in every answer: since when, until when, what instead', async () => {
  const model = (await aCatalogue('2026-11-20')).find('gpt-5')!
  const at = (day: string) => Date.parse(`${day}T00:00:00+08:00`)
  const row = (await selectCurrentModels(db)).find((one) => one.modelId === 'gpt-5')!
  expect(model.notice).toEqual([
    'deprecation',
    `@${at(row.deprecatedOn!) / 1000}`,
    ...(row.retiresOn ? ['sunset', new Date(at(row.retiresOn)).toUTCString()] : []),
    ...(row.successor ? ['x-mingxi-successor', row.successor] : []),
  ])
})

test('a retired successor is replaced by its own successor', async () => {
  await db.owner.query(`update gateway_models set retires_on = '2026-12-01', successor = 'gpt-4o' where model_id = 'gemini-3.8-flash'`)
  expect((await aCatalogue('2026-12-05')).find('gemini-2.5-pro')!.id).toBe('gpt-4o')
  await db.owner.query(`update gateway_models set retires_on = null, successor = null where model_id = 'gemini-3.8-flash'`)
})

const insertModel = (to: Db, id: string) =>
  to.query(`insert into gateway_models (model_id, vendor, name, kind, dialects, capabilities) values ($1, 'gemini', $1, 'chat', '{gemini}', '{}')`, [id])
