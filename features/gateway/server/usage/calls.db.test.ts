import { beforeAll, describe, expect, test } from 'vitest'
import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { FileReply } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Db } from '#platform/server/database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { usageContract } from '../../contract-usage.ts'
import { aKey, aReservedCall, aSettledCall } from '../builders.ts'
import type { CallFilter, Direction } from './data-calls.ts'
import { listCalls } from './data-calls.ts'
import type { ApiKey, SettledCall } from '../hot/deps.ts'
import { writeFlush } from '../journal/writing/data-flush.ts'
import { streamCallPages, searchCalls } from './search-calls.ts'
import { calls } from './list-calls.ts'
import { usageCsv } from './usage-csv.ts'

const BEGIN = Date.parse('2026-11-01T00:00:00+08:00')
const HOUR = 3_600_000
let db: Db & { url: string; owner: Db }
let userId: string
let key: ApiKey
let other: ApiKey
let stranger: string
/** Calls, newest first. */
let all: SettledCall[]

/** Inserts twelve days of calls: a rare model, expensive calls, failures, calls in the same millisecond, posted and waiting ones. */
beforeAll(async () => {
  db = await useTestDb()
  // create the partitions of these months, whatever the current month is: none is created further back than the last
  for (const [from, before] of [
    ['2026-10-01', '2026-11-01'],
    ['2026-11-01', '2026-12-01'],
  ])
    await db.owner.query(
      `create table if not exists gateway_usage_${from!.slice(0, 7).replace('-', '')} partition of gateway_usage for values from ('${from} 00:00Z') to ('${before} 00:00Z')`,
    )
  userId = await aFundedUser(db, { purchased: parseUsd('100') })
  key = (await aKey(db, userId, { name: '=cmd|"/c calc"!A1' })).key
  other = (await aKey(db, userId, { name: '生产，"二"' })).key
  stranger = await aFundedUser(db, { purchased: parseUsd('100') })
  const foreign = (await aKey(db, stranger)).key
  const made = Array.from({ length: 600 }, (_, i) => {
    const owner = i % 3 ? key : other
    const amount = i % 97 === 5 ? parseUsd('0.5') : BigInt(i) * 1_001n
    const outcome = i % 53 === 7 ? ('upstream_cut' as const) : ('completed' as const)
    const startedAt = BEGIN + Math.floor(i / 2) * (HOUR - 7)
    return aSettledCall(
      aReservedCall(owner, { leaseId: 1n }, { held: amount, more: { startedAt, model: i % 89 === 11 ? 'claude-haiku-5-5' : 'gpt-6-luna' } }),
      amount,
      {
        outcome,
        status: outcome === 'completed' ? 200 : 502,
        ...(i % 97 === 3 ? { askedModel: 'gpt-5' } : {}),
      },
    )
  })
  const theirs = aSettledCall(aReservedCall(foreign, { leaseId: 2n }, { held: 5n, more: { startedAt: BEGIN + HOUR } }), 5n)
  await writeFlush(db, 'n', { opened: [], settled: [...made.slice(0, 560), theirs], closed: [] })
  await db.owner.query(`with taken as (delete from gateway_unsummed returning *)
    insert into gateway_usage_hours select account_id, hour, model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest) from taken group by 1, 2, 3, 4`)
  await db.owner
    .query(`insert into gateway_usage_days select account_id, gateway_shanghai_day(hour), model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest)
    from gateway_usage_hours group by 1, 2, 3, 4`)
  await writeFlush(db, 'n', { opened: [], settled: made.slice(560), closed: [] })
  all = made.toSorted((a, b) => b.startedAt - a.startedAt || (a.callId < b.callId ? 1 : -1))
})

const ctxOf = (user: string) => ({ db, clock: { now: () => new Date('2026-11-20T00:00:00Z') }, userId: user, lang: 'zh' }) as unknown as Ctx

const FILTERS: readonly [string, Partial<CallFilter>, (call: SettledCall) => boolean][] = [
  ['nothing', {}, () => true],
  ['a key', { keyId: 'other' }, (call) => call.keyId === other.keyId],
  ['a rare model', { model: 'claude-haiku-5-5' }, (call) => call.model === 'claude-haiku-5-5'],
  ['a rare model of a key', { model: 'claude-haiku-5-5', keyId: 'other' }, (call) => call.model === 'claude-haiku-5-5' && call.keyId === other.keyId],
  ['what failed', { outcome: 'not_completed' }, (call) => call.outcome !== 'completed'],
  ['one outcome', { outcome: 'upstream_cut' }, (call) => call.outcome === 'upstream_cut'],
  ['what completed', { outcome: 'completed' }, (call) => call.outcome === 'completed'],
  ['a status', { status: 502 }, (call) => call.status === 502],
  ['expensive calls', { least: parseUsd('0.4') }, (call) => call.amount >= parseUsd('0.4')],
  [
    'what was cheap, of two days',
    { most: 50_000n, from: new Date(BEGIN), before: new Date(BEGIN + 48 * HOUR) },
    (call) => call.amount <= 50_000n && call.startedAt < BEGIN + 48 * HOUR,
  ],
]

describe.each(['older', 'newer'] as const)('pages towards %s', (direction: Direction) => {
  test.each(FILTERS)('%s: each call once, in order', async (_name, wish, fits) => {
    const filter = { accountId: key.accountId, ...wish, ...(wish.keyId ? { keyId: other.keyId } : {}) }
    const found: string[] = []
    for await (const rows of streamCallPages(db, filter, { cursor: undefined, direction, size: 7 })) found.push(...rows.map((row) => row.callId))
    const wanted = all.filter(fits).map((call) => call.callId)
    expect(wanted.length).toBeGreaterThan(1)
    expect(found).toEqual(direction === 'older' ? wanted : wanted.toReversed())
  })
})

test('calls that are settled between two pages shift no row: none twice, none lost', async () => {
  const first = await calls(ctxOf(userId), { pageSize: 30 })
  const late = Array.from({ length: 5 }, (_, i) =>
    aSettledCall(aReservedCall(key, { leaseId: 1n }, { held: 0n, more: { startedAt: all[0]!.startedAt + 1 + i } }), 0n),
  )
  await writeFlush(db, 'n', { opened: [], settled: late, closed: [] })
  const second = await calls(ctxOf(userId), { pageSize: 30, after: first.next! })
  expect([...first.rowList, ...second.rowList].map((row) => row.callId)).toEqual(all.slice(0, 60).map((call) => call.callId))
  const newer = await calls(ctxOf(userId), { pageSize: 100, before: first.previous! })
  expect(newer.rowList.map((row) => row.callId)).toEqual(late.toReversed().map((call) => call.callId))
  const none = await calls(ctxOf(userId), { pageSize: 100, before: newer.previous! })
  expect(none).toMatchObject({ rowList: [], previous: newer.previous })
  const back = await calls(ctxOf(userId), { pageSize: 30, before: second.previous! })
  expect(back.rowList.map((row) => row.callId)).toEqual(first.rowList.map((row) => row.callId))
  all = [...late.toReversed(), ...all]
})

test('a search that would read too much stops, says so, and continues from there', async () => {
  const before = await db.query('select account_id, hour, model, key_id, calls from gateway_usage_hours')
  await db.owner.query('update gateway_usage_hours set calls = calls + 30000')
  const filter = { accountId: key.accountId, model: 'claude-haiku-5-5' }
  const page = await searchCalls(db, filter, { cursor: undefined, direction: 'older', limit: 7 })
  expect(page.stopped).toBeDefined()
  expect(page.rows.length).toBeLessThan(7)
  const found: string[] = []
  for await (const rows of streamCallPages(db, filter, { cursor: undefined, direction: 'older', size: 7 })) found.push(...rows.map((row) => row.callId))
  expect(found).toEqual(all.filter((call) => call.model === filter.model).map((call) => call.callId))
  await db.owner.query('update gateway_usage_hours set calls = calls - 30000')
  expect(await db.query('select account_id, hour, model, key_id, calls from gateway_usage_hours')).toHaveLength(before.length)
})

async function csvOf(user: string, input: Partial<Parameters<typeof usageCsv>[1]>): Promise<string[][]> {
  const file = (await usageCsv(ctxOf(user), usageContract.usageCsv.input.parse(input))) as FileReply
  let text = ''
  for await (const piece of file.body as AsyncIterable<string>) text += piece
  return text
    .replace(/\r\n$/, '')
    .split('\r\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cell) => cell[1]?.replaceAll('""', '"') ?? cell[2]!))
}

test('a file equals the rows to the nano-dollar, reads as Chinese in a spreadsheet and runs nothing there', async () => {
  const lines = await csvOf(userId, {})
  const [head, end] = [lines[0]!, lines.at(-1)!]
  const rows = lines.slice(1, -1)
  expect(head[0]!.startsWith('\uFEFF时间')).toBe(true)
  expect(rows.map((row) => row[1])).toEqual(all.map((call) => call.callId).toReversed())
  expect(sumNano(rows.map((row) => parseUsd(row[12]!)))).toBe(sumNano(all.map((call) => call.amount)))
  expect(end[0]).toBe(`合计 ${all.length} 次调用`)
  expect(end[12]).toBe(formatUsd(sumNano(all.map((call) => call.amount))))
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([18, 13]))
  expect(rows.map((row) => row[17])).toEqual(all.map((call) => call.askedModel ?? '').toReversed())
  expect(rows.filter((row) => row[17] !== '').length).toBeGreaterThan(3)
  expect(new Set(rows.map((row) => row[3]))).toEqual(new Set([`'=cmd|"/c calc"!A1`, '生产，"二"']))
})

test('a file follows its filter, or continues after a given call', async () => {
  const expensive = await csvOf(userId, { minAmount: '0.4', from: '2026-11-01', to: '2026-11-30', lang: 'en' })
  expect(expensive[0]![0]).toBe('\uFEFFTime (Beijing)')
  expect(expensive).toHaveLength(2 + all.filter((call) => call.amount >= parseUsd('0.4')).length)
  const whole = await csvOf(userId, {})
  const rest = await csvOf(userId, { after: whole[100]![1] })
  expect(rest.slice(0, -1)).toEqual(whole.slice(101, -1))
})

test('a file holds its own account alone; a third one at once waits; one that is left half-way frees its place', async () => {
  expect(await csvOf(stranger, { keyId: key.keyId })).toHaveLength(2)
  expect(await csvOf(stranger, {})).toHaveLength(3)
  const refused = (input: object) =>
    usageCsv(ctxOf(userId), usageContract.usageCsv.input.parse(input)).then(
      () => 'given',
      (error: { errorName: string }) => error.errorName,
    )
  expect(
    await usageCsv(ctxOf(stranger), usageContract.usageCsv.input.parse({ after: all[0]!.callId })).catch((error: { errorName: string }) => error.errorName),
  ).toBe('CALL_NOT_FOUND')
  const open = await Promise.all([0, 1].map(async () => ((await usageCsv(ctxOf(userId), {})) as FileReply).body as AsyncGenerator<string>))
  for (const body of open) await body.next()
  expect(await refused({})).toBe('EXPORT_BUSY')
  await open[0]!.return(undefined)
  expect(await refused({})).toBe('given')
  await open[1]!.return(undefined)
})

test('pages and searches leave out the months that they do not need', async () => {
  const planned: string[] = []
  const spy = {
    query: async (text: string, values?: readonly unknown[]) => {
      const plan = await db.query(`explain ${text}`, values)
      planned.push(plan.map((row) => row['QUERY PLAN'] as string).join('\n'))
      return []
    },
  }
  const filter = { accountId: key.accountId, from: new Date(BEGIN), before: new Date(BEGIN + 24 * HOUR) }
  await listCalls(spy as unknown as Db, filter, { cursor: undefined, direction: 'older', limit: 20 })
  await listCalls(spy as unknown as Db, filter, { cursor: { at: new Date(BEGIN + HOUR), callId: 'call_x' }, direction: 'older', limit: 20 })
  // A Shanghai day at the start of a month spans two UTC months.
  expect(planned.map((plan) => new Set(plan.match(/gateway_usage_\d{6}/g)))).toEqual([
    new Set(['gateway_usage_202610', 'gateway_usage_202611']),
    new Set(['gateway_usage_202610']),
  ])
})
