import { beforeAll, beforeEach, expect, test } from 'vitest'
import { parseUsd, sum, tokenCost, usd } from '#platform/shared/money.ts'
import type { Failure } from '#platform/shared/errors.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import type { Db } from '#platform/server/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import { gatewayContract } from '../contract.ts'
import { aKey, someUse } from './builders.ts'
import type { ApiKey } from './hot/deps.ts'
import { seedPrices } from './seed.ts'
import { call } from './verbs/call.ts'
import { calls } from './verbs/calls.ts'
import { modelPrice } from './verbs/model-price.ts'
import { usage } from './verbs/usage.ts'
import { usageSummary } from './verbs/usage-summary.ts'

const log = createLog('silent')
const DAYS = 45
let db: Db & { url: string; owner: Db }
let userId: string
let key: ApiKey
let other: ApiKey
let now = new Date()
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
  userId = await aFundedUser(db, { purchased: parseUsd('1000') })
  key = (await aKey(db, userId, '一')).key
  other = (await aKey(db, userId, '二')).key
  await someUse(db, log, key, DAYS)
  await someUse(db, log, other, 3)
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
  jobs: { send: async () => {} },
  config: {} as Ctx['config'],
  secretKey: Buffer.alloc(32),
})

async function allCalls(more: { keyId?: string; model?: string; day?: string } = {}) {
  const rows = []
  for (let after: string | undefined; ;) {
    const page = gatewayContract.calls.reply.parse(await calls(ctxOf(userId), { ...more, after, pageSize: 7 }))
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
  const { totalSpent, posted } = await balanceOf(db, userId)
  expect(sum(rows.map((row) => parseUsd(row.amount)))).toBe(totalSpent)
  expect(posted).toBe(parseUsd('1000') - totalSpent)
})

test('filters by key, model and Shanghai day agree with the day sums, month by month', async () => {
  const both = await Promise.all((['current', 'history'] as const).map((mode) => usage(ctxOf(userId), { mode, pageNum: 1, pageSize: 999 })))
  const rows = both.flatMap((page) => gatewayContract.usage.reply.parse(page).rowList)
  const all = await allCalls()
  expect(rows.reduce((total, row) => total + row.callNum, 0)).toBe(all.length)
  expect(usd(sum(rows.map((row) => parseUsd(row.consumeAmount))))).toBe(usd(sum(all.map((row) => parseUsd(row.amount)))))
  for (const page of both) expect(sum(page.rowList.map((row) => parseUsd(row.consumeAmount)))).toBe(parseUsd(page.consumeAmount))
  const month = shanghaiDay(now).slice(0, 7)
  expect(both[0]!.rowList.every((row) => row.statDate.startsWith(month))).toBe(true)
  expect(both[1]!.rowList.every((row) => row.statDate < month)).toBe(true)
  for (const row of rows.slice(0, 12)) {
    const day = await allCalls({ day: row.statDate, model: row.modelValue })
    expect(day).toHaveLength(row.callNum)
    expect(day.every((one) => shanghaiDay(Date.parse(one.startedAt)) === row.statDate && one.model === row.modelValue)).toBe(true)
  }
  expect((await allCalls({ keyId: other.keyId })).every((row) => row.keyName === '二')).toBe(true)
  const ofKey = await usage(ctxOf(userId), { mode: 'current', keyId: other.keyId, pageNum: 1, pageSize: 999 })
  expect(ofKey.callNum + (await usage(ctxOf(userId), { mode: 'history', keyId: other.keyId, pageNum: 1, pageSize: 999 })).callNum).toBe(
    (await allCalls({ keyId: other.keyId })).length,
  )
})

test('pages of twenty put together are the whole', async () => {
  const first = await usage(ctxOf(userId), { mode: 'current', pageNum: 1, pageSize: 20 })
  const pages = await Promise.all(Array.from({ length: first.totalPage }, (_, i) => usage(ctxOf(userId), { mode: 'current', pageNum: i + 1, pageSize: 20 })))
  const rows = pages.flatMap((page) => page.rowList)
  expect(rows).toHaveLength(first.totalRecord)
  expect(new Set(rows.map((row) => `${row.statDate} ${row.modelValue}`)).size).toBe(rows.length)
})

test('a receipt can be computed again, to the nano-dollar', async () => {
  for (const row of (await allCalls()).slice(0, 40)) {
    const receipt = gatewayContract.call.reply.parse(await call(ctxOf(userId), { callId: row.callId }))
    for (const line of receipt.lines) expect(parseUsd(line.amount)).toBe(tokenCost(line.tokens, parseUsd(line.unitPrice)))
    expect(usd(sum(receipt.lines.map((line) => parseUsd(line.amount))))).toBe(receipt.amount)
    expect(receipt.priceVersion).toBeGreaterThan(0)
  }
})

test('another user sees nothing of it', async () => {
  const stranger = await aFundedUser(db)
  const [row] = await allCalls()
  expect(await call(ctxOf(stranger), { callId: row!.callId }).catch((error: Failure) => error.errorName)).toBe('CALL_NOT_FOUND')
  expect((await calls(ctxOf(stranger), { keyId: key.keyId, pageSize: 20 })).rowList).toEqual([])
  expect((await usage(ctxOf(stranger), { mode: 'current', keyId: key.keyId, pageNum: 1, pageSize: 20 })).rowList).toEqual([])
  expect((await usageSummary(ctxOf(stranger))).days).toEqual([])
})

test('the summary: thirty days that add up, a runway, the first steps', async () => {
  const summary = gatewayContract.usageSummary.reply.parse(await usageSummary(ctxOf(userId)))
  expect(sum(summary.days.map((day) => parseUsd(day.consumeAmount)))).toBe(parseUsd(summary.consumeAmount))
  expect(summary.days.every((day) => day.statDate >= summary.from && day.statDate <= summary.to)).toBe(true)
  expect(Date.parse(summary.to) - Date.parse(summary.from)).toBe(29 * 86_400_000)
  expect(summary).toMatchObject({ hasKey: true, hasCall: true })
  const { posted } = await balanceOf(db, userId)
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
    prices: { usd: { input: '2', cachedInput: '0.1' }, cny: { input: '14.24' } },
    longContext: { aboveInputTokens: 272000, usd: { output: '15' } },
  })
})
