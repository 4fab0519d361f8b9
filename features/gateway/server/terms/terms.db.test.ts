import { afterAll, beforeAll, expect, test } from 'vitest'
import { divideUp, sumNano, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aKey } from '../builders.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { insertPrice } from '../catalogue/data.ts'
import { seedPrices } from '../catalogue/seed.ts'
import { anUpstream } from '../hot/testing/fake-deps.ts'
import { formatHttpJson } from '../hot/testing/fake-upstream.ts'
import { callLab as ask, openLab } from '../hot/testing/lab.ts'
import type { Lab } from '../hot/testing/lab.ts'
import { gateway } from '../index.ts'
import { createJournal } from '../journal/journal.ts'
import type { RunningJournal } from '../journal/journal.ts'
import { resolveCallOutcome } from '../journal/sweeping/resolve-outcome.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'
import { mailPriceRises, announcePriceRises } from './mail-price-rises.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const all = [...product, createBackoffice(product)]
const desk = createTestApp({ features: all, db, clock, surface: 'operators' })
const { call, deps, settle } = createTestApp({ features: all, db, clock })
const MODEL = 'gpt-4o'
const DAY_MS = 86_400_000
const USED = { prompt_tokens: 1001, completion_tokens: 77, total_tokens: 1078 }

let owner: BuiltOperator
let second: BuiltOperator
let user: BuiltUser
let lab: Lab
let catalogue: Catalogue
let journal: RunningJournal
let titles = 0
beforeAll(async () => {
  await seedPrices(deps)
  owner = await anOperator(desk.deps, ['owner'])
  second = await anOperator(desk.deps, ['supply'])
  user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId })
  const { key } = await aKey(db, user.userId)
  lab = await openLab({ limits: { upstreamMs: 60_000, bodyMs: 60_000 } })
  const upstream = anUpstream(lab.upstream.origin)
  const log = createLog('silent')
  catalogue = await createCatalogue(db, (_vendor, model) => [{ upstream, upstreamModel: model }], { log })
  journal = await createJournal(db, log, { deadMs: 60_000 })
  Object.assign(lab.deps, { findKey: () => key, findModel: catalogue.find, listModels: catalogue.list, pricedFor: catalogue.pricedFor, journal })
  lab.upstream.answer = (_seen, socket) =>
    socket.write(formatHttpJson({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage: USED }))
})
afterAll(async () => {
  await journal?.stop()
  catalogue?.stop()
  await lab?.close()
})

const isoFromNow = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
async function run(name: string, input: object, who = owner) {
  const { data } = await desk.call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
  const asking = { ...input, expects: data?.expects ?? 'a'.repeat(64), reasonCode: 'customerAsked', reason: 'as it stands in the contract' }
  const asked = await desk.call('POST', `/operator/do/${name}`, asking, { token: who.token, idempotencyKey: `k${Math.random()}` })
  return { preview: data, ...asked }
}
const approve = (no: string) => desk.call('POST', '/operator/command/approve', { no }, { token: second.token })
const terms = (from: string, changes: object[], more: object = {}) => ({
  user: user.userId,
  title: `contract ${++titles}`,
  from,
  changes,
  acceptLoss: true,
  ...more,
})
/** Plans terms by the command, approves them, and moves to their start time. */
async function agree(changes: object[]): Promise<void> {
  const asked = await run('price.terms', terms(isoFromNow(70_000), changes))
  expect((await approve(asked.data.no)).data.state).toBe('done')
  await db.owner.query('alter table gateway_price_terms disable trigger gateway_price_terms_guard')
  await db.owner.query(`update gateway_price_terms set valid_from = now() where title = $1`, [`contract ${titles}`])
  await db.owner.query('alter table gateway_price_terms enable trigger gateway_price_terms_guard')
  await catalogue.reload()
}
const list = () => catalogue.find(MODEL)!.prices
const share = (price: bigint, percent: number) => divideUp(price * BigInt(percent), 100n)
const lastCall = async () =>
  (
    await db.query<{ callId: string; amount: bigint; version: number }>(
      'select call_id, amount, price_version::int as version from gateway_usage where user_id = $1 order by started_at desc, call_id desc limit 1',
      [user.userId],
    )
  )[0]!
const subjects = async () => (await listSandboxMails(db, user.email)).map(({ subject }) => subject)

test('M5: quote, hold, charge and receipt are of one price, which follows the list; others pay the list', async () => {
  const body = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }
  const quoted = async () => JSON.parse((await ask(lab, { path: '/v1/quote', body })).body) as { max_cost: string; price_version: number }
  const before = await quoted()
  await agree([
    { model: '*', percent: '90' },
    { model: MODEL, percent: '85' },
  ])
  const own = await quoted()
  expect(own.price_version).not.toBe(before.price_version)
  expect(Number(own.max_cost) / Number(before.max_cost)).toBeCloseTo(0.85, 3)
  await ask(lab, { body })
  const amount = sumNano([computeTokenCost(USED.prompt_tokens, share(list().input, 85)), computeTokenCost(USED.completion_tokens, share(list().output, 85))])
  const made = await lastCall()
  expect([made.amount, made.version]).toEqual([amount, own.price_version])
  const receipt = (await call('GET', '/user/usage/call', { callId: made.callId }, { token: user.token })).data
  expect(receipt).toMatchObject({ pricePercent: '85', priceVersion: own.price_version })
  expect(receipt.lines[0].unitPrice).toBe(formatUsd(share(list().input, 85)))
  expect(catalogue.find(MODEL)!.prices.version).toBe(before.price_version)
  expect(catalogue.pricedFor('usr_somebody')).toBeUndefined()

  // after a crash the vendor is queried, and the promised price applies
  const vendor = { lookup: () => Promise.resolve({ known: true, finished: true, usage: USED }) }
  const upstreams = { vendorOf: () => ({ vendor, baseUrl: '', key: '' }) } as unknown as Upstreams
  const open = { callId: 'c', model: MODEL, upstream: 'u', priceVersion: BigInt(own.price_version) } as Parameters<typeof resolveCallOutcome>[2]
  expect(await resolveCallOutcome(db, upstreams, open)).toMatchObject({ kind: 'bill', bill: { amount } })

  // the list price changes, and the share with it
  const classes = [4_000_000_000n, 2_000_000_000n, null, null, 8_000_000_001n, null, null, null]
  await insertPrice(db, { modelId: MODEL, classes, longAbove: null, longClasses: null }, { validFrom: new Date(), source: 'another list' })
  await catalogue.reload()
  await ask(lab, { body })
  expect((await lastCall()).amount).toBe(
    sumNano([computeTokenCost(USED.prompt_tokens, 3_400_000_000n), computeTokenCost(USED.completion_tokens, share(8_000_000_001n, 85))]),
  )
  await expect.poll(async () => (await readBalance(db, user.userId)).totalSpent).toBeGreaterThan(0n)
})

test('the customer sees current and planned terms; another customer sees neither', async () => {
  const planned = terms(isoFromNow(8 * DAY_MS), [{ model: MODEL, percent: '95' }])
  const asked = await run('price.terms', planned)
  expect(asked.preview.shown).toMatchObject({ changes: [{ name: MODEL, before: '85%', after: '95%' }], mails: { 'gateway.terms-rise': 1 } })
  expect((await approve(asked.data.no)).data.state).toBe('done')
  const own = (await call('GET', '/user/own_prices', {}, { token: user.token })).data
  expect(own.terms).toMatchObject([
    { model: MODEL, percent: '95', holds: false },
    { model: MODEL, percent: '85', holds: true },
    { model: null, percent: '90', holds: true },
  ])
  const rows = new Map(own.rowList.map((row: { modelValue: string; percent: string }) => [row.modelValue, row.percent]))
  expect([rows.get(MODEL), rows.get('gpt-6-luna')]).toEqual(['85', '90'])
  const other = await aUser(deps)
  expect((await call('GET', '/user/own_prices', {}, { token: other.token })).data).toEqual({ terms: [], rowList: [] })
  const read = (await desk.call('GET', '/operator/customer/terms', { userId: user.userId }, { token: owner.token })).data
  expect(read.rows.map(({ state, percent }: { state: string; percent: string }) => `${state} ${percent}`)).toEqual(['planned 95', 'holds 85', 'holds 90'])
  await desk.settle()
  expect((await subjects())[0]).toMatch(/协议价 .* 起调整/)
  const cancelled = await run('price.terms-cancel', { user: user.userId, title: planned.title })
  expect(cancelled.data.state).toBe('done')
  await desk.settle()
  expect((await subjects())[0]).toContain('协议价不调整了')
  expect((await run('price.terms-cancel', { user: user.userId, title: planned.title })).status).toBe(404)
})

test('a rise needs notice, a loss its tick, an operator’s own account another operator; terms in force are frozen', async () => {
  const rise = [{ model: MODEL, percent: '100' }]
  expect((await run('price.terms', terms(isoFromNow(6 * DAY_MS), rise))).code).toBe(3234)
  expect((await run('price.terms', terms(isoFromNow(DAY_MS), [{ model: 'gpt-6-luna', percent: '50' }], { acceptLoss: false }))).code).toBe(3232)
  expect((await run('price.terms', terms(isoFromNow(10_000), [{ model: MODEL, percent: '50' }]))).code).toBe(3230)
  for (const percent of ['0', '0.5', '100.01', '101', '-1', '1e1', '85.555'])
    expect([percent, (await run('price.terms', terms(isoFromNow(DAY_MS), [{ model: MODEL, percent }]))).status]).toEqual([percent, 400])
  expect((await run('price.terms', terms(isoFromNow(DAY_MS), [{ model: 'no-such', percent: '50' }]))).status).toBe(404)
  expect((await run('price.terms', terms(isoFromNow(DAY_MS), [{ model: MODEL, percent: '50' }]), await anOperator(desk.deps, ['support']))).status).toBe(403)
  const self = await anOperator(desk.deps, ['supply'], { mail: user.email })
  expect((await run('price.terms', terms(isoFromNow(DAY_MS), [{ model: MODEL, percent: '50' }]), self)).code).toBe(5012)
  await expect(db.query('update gateway_price_terms set millionths = 10000')).rejects.toThrow('frozen')
  await expect(db.query(`update gateway_price_terms set dropped_at = now(), dropped_by = 'x' where valid_from <= now()`)).rejects.toThrow('hold already')
  await expect(db.query('delete from gateway_price_terms')).rejects.toThrow('permission denied')
})

test('recent users of a model get one mail when its list price rises, and one when the rise is cancelled', async () => {
  await db.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
      select 1, current_date, $1, key_id, 1, 1, 1, 0, 1 from gateway_keys where user_id = $2`,
    [MODEL, user.userId],
  )
  const risen = async (name: string, factor: bigint) => {
    const { input, output } = list()
    const classes = [input * factor, null, null, null, output, null, null, null]
    return insertPrice(db, { modelId: MODEL, classes, longAbove: null, longClasses: null }, { validFrom: new Date(Date.now() + DAY_MS), source: name })
  }
  await risen('plan:same', 1n)
  await mailPriceRises(deps)
  await settle()
  expect((await subjects()).filter((subject) => subject.includes('涨价'))).toEqual([])
  const version = await risen('plan:more', 2n)
  await Promise.all([mailPriceRises(deps), mailPriceRises(deps)])
  await settle()
  expect((await subjects()).filter((subject) => subject.includes('个模型'))).toHaveLength(1)
  // a user who starts using the model later is found within an hour, and the sums are not read again meanwhile
  await announcePriceRises(deps)
  const late = await aUser(deps)
  await aKey(db, late.userId)
  await db.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest)
      select 2, current_date, $1, key_id, 1, 1, 1, 0, 1 from gateway_keys where user_id = $2`,
    [MODEL, late.userId],
  )
  const lateMails = async () => {
    await announcePriceRises(deps)
    await settle()
    return (await listSandboxMails(db, late.email)).filter(({ subject }) => subject.includes('个模型')).length
  }
  expect(await lateMails()).toBe(0)
  clock.advance(3_600_000)
  expect(await lateMails()).toBe(1)
  await db.query(`insert into gateway_price_drops (version, by_operator) values ($1, 'x')`, [version])
  await Promise.all([mailPriceRises(deps), mailPriceRises(deps)])
  await settle()
  expect((await subjects()).filter((subject) => subject.includes('已取消'))).toHaveLength(1)
})
