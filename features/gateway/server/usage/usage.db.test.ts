import { beforeAll, beforeEach, expect, test } from 'vitest'
import { parseUsd, sumNano, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import type { Failure } from '#platform/shared/errors.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { gatewayContract } from '../../contract.ts'
import { usageContract } from '../../contract-usage.ts'
import { aKey, aReservedCall, aSettledCall, generateUse } from '../builders.ts'
import type { ApiKey } from '../hot/deps.ts'
import { writeFlush } from '../journal/writing/data-flush.ts'
import { gatewayPersonal } from '../personal.ts'
import { seedPrices } from '../catalogue/seed.ts'
import { showCall, calls } from './list-calls.ts'
import { modelPrice } from '../catalogue/model-price.ts'
import { usage } from './list-usage.ts'
import { usageSeries } from './usage-series.ts'
import { usageSummary } from './usage-summary.ts'

const log = createLog('silent')
const DAYS = 45
let db: Db & { url: string; owner: Db }
let userId: string
let key: ApiKey
let other: ApiKey
let otherSecret: string
let now = new Date()
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
  userId = await aFundedUser(db, { purchased: parseUsd('1000') })
  key = (await aKey(db, userId, { name: '一' })).key
  const second = await aKey(db, userId, { name: '二' })
  other = second.key
  otherSecret = second.secret
  await generateUse(db, log, { key, days: DAYS })
  await generateUse(db, log, { key: other, days: 3 })
})
beforeEach(() => {
  now = new Date()
})

const ctxOf = (user: string): Ctx => ({
  db,
  log,
  settings: createSettings(db, 0),
  clock: { now: () => now },
  userId: user,
  actor: { kind: 'user', id: user },
  tx: undefined,
  lang: 'zh',
  clientType: 1,
  requestId: 'r',
  ip: '',
  userAgent: '',
  sessionId: '',
  publicUrl: () => '',
  siteUrl: () => '',
  jobs: { send: async () => {} },
  config: {} as Ctx['config'],
  secretKey: Buffer.alloc(32),
  secretKeys: [Buffer.alloc(32)],
})

async function allCalls(more: Partial<Parameters<typeof calls>[1]> = {}) {
  const rows = []
  for (let after: string | undefined; ;) {
    const page = usageContract.calls.reply.parse(await calls(ctxOf(userId), { ...more, after, pageSize: 7 }))
    rows.push(...page.rowList)
    if (!page.next) return rows
    after = page.next
  }
}

test('calls by keyset: every call once, newest first, and together what the balance lost', async () => {
  const rows = await allCalls()
  expect(new Set(rows.map((row) => row.callId)).size).toBe(rows.length)
  expect(rows.map((row) => row.startedAt)).toEqual(
    rows
      .map((row) => row.startedAt)
      .sort()
      .reverse(),
  )
  const { totalSpent, posted } = await readBalance(db, userId)
  expect(sumNano(rows.map((row) => parseUsd(row.amount)))).toBe(totalSpent)
  expect(posted).toBe(parseUsd('1000') - totalSpent)
})

async function allDays(more: {
  group?: 'model' | 'key'
  keyId?: string
  apiToken?: string
  pageSize?: number
  from?: string
  to?: string
  mode?: 'current' | 'history'
}) {
  const pages = []
  for (let after: string | undefined; ;) {
    const page = usageContract.usage.reply.parse(await usage(ctxOf(userId), { mode: 'current', group: 'model', pageSize: 999, ...more, after }))
    pages.push(page)
    if (!page.next) return pages
    after = page.next
  }
}

test('filters by key, model and Shanghai day agree with the sums, month by month', async () => {
  const both = (await Promise.all((['current', 'history'] as const).map((mode) => allDays({ mode })))).flat()
  const rows = both.flatMap((page) => page.rowList)
  const all = await allCalls()
  expect(rows.reduce((total, row) => total + row.callNum, 0)).toBe(all.length)
  expect(rows.reduce((total, row) => total + row.failNum, 0)).toBe(all.filter((row) => row.outcome !== 'completed').length)
  expect(formatUsd(sumNano(rows.map((row) => parseUsd(row.consumeAmount))))).toBe(formatUsd(sumNano(all.map((row) => parseUsd(row.amount)))))
  for (const page of both) expect(sumNano(page.rowList.map((row) => parseUsd(row.consumeAmount)))).toBe(parseUsd(page.totals!.consumeAmount))
  const month = toShanghaiDay(now).slice(0, 7)
  expect(both[0]!.rowList.every((row) => row.statDate.startsWith(month))).toBe(true)
  expect(both[1]!.rowList.every((row) => row.statDate < month)).toBe(true)
  for (const row of rows.slice(0, 8)) {
    const day = await allCalls({ day: row.statDate, model: row.modelValue })
    expect(day).toHaveLength(row.callNum)
    expect(day.every((one) => toShanghaiDay(Date.parse(one.startedAt)) === row.statDate && one.model === row.modelValue)).toBe(true)
  }
  expect((await allCalls({ keyId: other.keyId })).every((row) => row.keyName === '二')).toBe(true)
  const ofKey = await Promise.all((['current', 'history'] as const).map((mode) => allDays({ mode, keyId: other.keyId })))
  expect(ofKey.flat().reduce((total, page) => total + (page.totals?.callNum ?? 0), 0)).toBe((await allCalls({ keyId: other.keyId })).length)
})

test.each(['model', 'key'] as const)('by %s: pages of whole days put together are the whole, each day once', async (group) => {
  const [from, to] = [toShanghaiDay(now.getTime() - DAYS * 86_400_000), toShanghaiDay(now)]
  const [whole] = await allDays({ group, from, to })
  const pages = await allDays({ group, from, to, pageSize: 7 })
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.flatMap((page) => page.rowList)).toEqual(whole!.rowList)
  expect(pages.slice(1).every((page) => page.totals === null)).toBe(true)
  for (const page of pages.slice(1)) expect(pages[0]!.rowList.some((row) => page.rowList.some((later) => later.statDate === row.statDate))).toBe(false)
  expect(whole!.rowList.every((row) => (group === 'key' ? row.keyName !== '' && row.modelValue === '' : row.modelValue !== '' && row.keyId === ''))).toBe(true)
})

test.each(['model', 'key'] as const)('by %s: numbered pages have the same rows in the same order, and say how many there are', async (group) => {
  const [from, to] = [toShanghaiDay(now.getTime() - DAYS * 86_400_000), toShanghaiDay(now)]
  const ask = (more: object) => usage(ctxOf(userId), usageContract.usage.input.parse({ from, to, group, ...more }))
  const whole = await ask({ pageSize: 999 })
  const rows = []
  const { totalPage, totalRecord, totals } = await ask({ pageNum: 1, pageSize: 7 })
  expect(totalRecord).toBe(whole.rowList.length)
  for (let pageNum = 1; pageNum <= totalPage!; pageNum++) rows.push(...(await ask({ pageNum, pageSize: 7 })).rowList)
  expect(rows).toEqual(whole.rowList)
  expect(totals).toEqual(whole.totals)
  expect(await ask({ pageNum: totalPage! + 1, pageSize: 7 })).toMatchObject({ rowList: [], totalRecord, totals: null })
})

test.each([
  ['hour', 'model', 2],
  ['day', 'key', 30],
  ['month', 'vendor', 400],
] as const)('a chart by %s and %s adds up to its groups, its total and the calls', async (step, group, days) => {
  const [from, to] = [toShanghaiDay(now.getTime() - days * 86_400_000), toShanghaiDay(now)]
  const chart = usageContract.usageSeries.reply.parse(await usageSeries(ctxOf(userId), { from, to, step, group }))
  const all = await allCalls({ from, to })
  for (const parts of [chart.points, chart.groups, [chart.totals]]) {
    expect(formatUsd(sumNano(parts.map((part) => parseUsd(part.consumeAmount))))).toBe(formatUsd(sumNano(all.map((row) => parseUsd(row.amount)))))
    expect(parts.reduce((total, part) => total + part.callNum, 0)).toBe(all.length)
  }
  const at = (iso: string) => toShanghaiTime(Date.parse(iso)).slice(0, { hour: 13, day: 10, month: 7 }[step])
  expect(new Set(chart.points.map((point) => point.at))).toEqual(new Set(all.map((row) => at(row.startedAt))))
  expect(new Set(chart.points.map((point) => point.name)).size).toBeLessThanOrEqual(8)
  expect(chart.step).toBe(step)
})

test('a key is named by its id, or as apiToken by its secret or id; another user’s key shows nothing', async () => {
  const spent = async (more: { keyId?: string; apiToken?: string }) => {
    const rows = (await Promise.all((['current', 'history'] as const).map((mode) => allDays({ ...more, mode })))).flat().flatMap((page) => page.rowList)
    return sumNano(rows.map((row) => parseUsd(row.consumeAmount)))
  }
  const wanted = await spent({ keyId: other.keyId })
  expect(wanted).toBeGreaterThan(0n)
  expect(wanted).toBeLessThan(await spent({}))
  expect(await spent({ apiToken: otherSecret })).toBe(wanted)
  expect(await spent({ apiToken: other.keyId })).toBe(wanted)
  const strangers = await aKey(db, await aFundedUser(db, { purchased: parseUsd('1') }))
  for (const apiToken of [strangers.secret, strangers.key.keyId, 'sk-none', 'x'])
    await expect(spent({ apiToken })).rejects.toMatchObject({ errorName: 'KEY_NOT_FOUND' })
})

test('a range that ends before it begins, and one too long by hour, is refused', async () => {
  const refused = (work: Promise<unknown>) => work.then(() => 'taken').catch((error: Failure) => error.errorName)
  expect(await refused(usageSeries(ctxOf(userId), { from: '2026-11-02', to: '2026-11-01', group: 'model' }))).toBe('BAD_INPUT')
  expect(await refused(usageSeries(ctxOf(userId), { from: '2026-10-02', to: '2026-11-01', step: 'hour', group: 'model' }))).toBe('BAD_INPUT')
  expect(await refused(usage(ctxOf(userId), { from: '2026-11-02', to: '2026-11-01', mode: 'current', group: 'model', pageSize: 20 }))).toBe('BAD_INPUT')
})

test('settled calls are shown before they are posted', async () => {
  const fresh = await aFundedUser(db, { purchased: parseUsd('5') })
  const { key: freshKey } = await aKey(db, fresh)
  const { leaseId } = { leaseId: 9_000_000_000_000n }
  const call = { ...aReservedCall(freshKey, { leaseId }, { held: 5n }), startedAt: Date.now() }
  await writeFlush(db, 'n', { opened: [], settled: [aSettledCall(call, 5n)], closed: [] })
  const days = await usage(ctxOf(fresh), { mode: 'current', group: 'model', pageSize: 20 })
  expect(days).toMatchObject({ totals: { callNum: 1, consumeAmount: '0.000000005' }, rowList: [{ callNum: 1 }] })
  const today = toShanghaiDay(Date.now())
  expect(await usageSeries(ctxOf(fresh), { from: today, to: today, group: 'key' })).toMatchObject({
    step: 'hour',
    totals: { callNum: 1 },
    groups: [{ label: '测试密钥' }],
  })
  expect(await usageSummary(ctxOf(fresh))).toMatchObject({ callNum: 1, hasCall: true })
  expect((await calls(ctxOf(fresh), { model: call.model, pageSize: 20 })).rowList).toHaveLength(1)
  // the lease does not exist, so its charges could not be posted
  await db.query('delete from gateway_unposted where lease_id = $1', [leaseId])
})

test('a receipt can be computed again, to the nano-dollar', async () => {
  for (const row of (await allCalls()).slice(0, 40)) {
    const receipt = usageContract.call.reply.parse(await showCall(ctxOf(userId), { callId: row.callId }))
    for (const line of receipt.lines) expect(parseUsd(line.amount)).toBe(computeTokenCost(line.tokens, parseUsd(line.unitPrice)))
    expect(formatUsd(sumNano(receipt.lines.map((line) => parseUsd(line.amount))))).toBe(receipt.amount)
    expect(receipt.priceVersion).toBeGreaterThan(0)
  }
})

test('another user sees none of these calls', async () => {
  const stranger = await aFundedUser(db)
  const [row] = await allCalls()
  expect(await showCall(ctxOf(stranger), { callId: row!.callId }).catch((error: Failure) => error.errorName)).toBe('CALL_NOT_FOUND')
  expect((await calls(ctxOf(stranger), { keyId: key.keyId, pageSize: 20 })).rowList).toEqual([])
  expect((await usage(ctxOf(stranger), { mode: 'current', group: 'model', keyId: key.keyId, pageSize: 20 })).rowList).toEqual([])
  expect((await usageSummary(ctxOf(stranger))).days).toEqual([])
})

test('the summary: thirty days that add up, a runway, the first steps', async () => {
  const summary = usageContract.usageSummary.reply.parse(await usageSummary(ctxOf(userId)))
  expect(sumNano(summary.days.map((day) => parseUsd(day.consumeAmount)))).toBe(parseUsd(summary.consumeAmount))
  expect(summary.days.every((day) => day.statDate >= summary.from && day.statDate <= summary.to)).toBe(true)
  expect(Date.parse(summary.to) - Date.parse(summary.from)).toBe(29 * 86_400_000)
  expect(summary).toMatchObject({ hasKey: true, hasCall: true })
  const { posted } = await readBalance(db, userId)
  expect(summary.runwayDays).toBe(Number((posted * 7n) / parseUsd(summary.weekAmount)))
  const fresh = await usageSummary(ctxOf(await aFundedUser(db)))
  expect(fresh).toMatchObject({ hasKey: false, hasCall: false, runwayDays: null, consumeAmount: '0' })
})

test('the public price list: every model, exact in both currencies', async () => {
  const list = gatewayContract.modelPrice.reply.parse(await modelPrice(ctxOf('')))
  expect(list.rowList.length).toBeGreaterThan(45)
  for (const row of list.rowList) {
    expect(row.contextTokens === null || row.contextTokens > 0).toBe(true)
    expect(parseUsd(row.prices.cny.input)).toBeGreaterThanOrEqual(parseUsd(row.prices.usd.input))
  }
  const sol = list.rowList.find((row) => row.modelValue === 'gpt-6.2-sol')!
  expect(sol).toMatchObject({
    prices: { usd: { input: '2', cachedInput: '0.1' }, cny: { input: '14.246' } },
    longContext: { aboveInputTokens: 272000, usd: { output: '15' } },
  })
})

test('the data export has every day that was used, and adds up to what was spent', async () => {
  const part = (await gatewayPersonal.exportOf!(ctxOf(userId), userId)) as { usage: { calls: number; amount: string }[]; keys: object[]; calls: string }
  expect(formatUsd(sumNano(part.usage.map((day) => parseUsd(day.amount))))).toBe(formatUsd((await readBalance(db, userId)).totalSpent))
  expect(part.usage.reduce((total, day) => total + day.calls, 0)).toBe((await allCalls()).length)
  expect(part.keys).toHaveLength(2)
})
