import { beforeAll, expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { requestsContract } from '../../contract-requests.ts'
import { aKey, aReservedCall, aSettledCall } from '../builders.ts'
import type { ApiKey, RefusedCallRecord } from '../hot/deps.ts'
import { createCallKey } from '../hot/ids.ts'
import { writeFlush } from '../journal/writing/data-flush.ts'
import { deleteOldRefused, insertRefused } from './data-refused.ts'
import { createRefusalRecorder } from './recorder.ts'
import { openCalls } from './open-calls.ts'
import { refusedCall } from './refused-call.ts'
import { requestCounts } from './request-counts.ts'
import { requests } from './requests.ts'

const NOW = Date.now()
const MINUTE = 60_000
let db: Db & { url: string; owner: Db }
let userId: string
let stranger: string
let key: ApiKey
let other: ApiKey
const OUTCOMES = ['completed', 'completed', 'client_gone', 'completed', 'upstream_failed', 'upstream_cut'] as const

const aRefusedRequest = (of: ApiKey, at: number, more: Partial<RefusedCallRecord> = {}): RefusedCallRecord => ({
  accountId: of.accountId,
  keyId: of.keyId,
  requestId: `req_${createCallKey(at)}`,
  at,
  totalMs: 3,
  cause: 'model_not_allowed',
  status: 403,
  surface: 'openai',
  path: '/v1/chat/completions',
  model: 'claude-opus-5-5',
  asked: 'claude-opus-5-5',
  message: 'This API key may not use the model `claude-opus-5-5`.',
  field: 'model',
  ...more,
})
const record = async (calls: readonly RefusedCallRecord[]) => {
  const recorder = createRefusalRecorder({ write: (batch) => insertRefused(db, batch), log: { warn: () => {} } })
  for (const call of calls) recorder.note(call)
  await recorder.stop()
}

beforeAll(async () => {
  db = await useTestDb()
  userId = await aFundedUser(db, { purchased: parseUsd('100') })
  stranger = await aFundedUser(db, { purchased: parseUsd('100') })
  key = (await aKey(db, userId, { name: '生产环境' })).key
  other = (await aKey(db, userId, { name: 'Cherry Studio' })).key
  const foreign = (await aKey(db, stranger)).key
  const billed = Array.from({ length: 60 }, (_, i) => {
    const outcome = OUTCOMES[i % OUTCOMES.length]!
    return aSettledCall(
      aReservedCall(
        i % 4 ? key : other,
        { leaseId: 1n },
        { held: 5n, more: { startedAt: NOW - i * MINUTE, callId: `call_${createCallKey(NOW - i * MINUTE)}` } },
      ),
      5n,
      {
        outcome,
        status: outcome === 'completed' ? 200 : 502,
      },
    )
  })
  await writeFlush(db, 'n', { opened: [], settled: billed, closed: [] })
  // half of them in the exact millisecond of a billed call
  await record(Array.from({ length: 20 }, (_, i) => aRefusedRequest(i % 2 ? key : other, NOW - i * 2 * MINUTE)))
  await record([aRefusedRequest(foreign, NOW)])
})

const ctxOf = (user: string) => ({ db, clock: { now: () => new Date(NOW) }, userId: user, lang: 'zh' }) as unknown as Ctx
const range = () => ({ from: toShanghaiDay(NOW - 2 * 86_400_000), to: toShanghaiDay(NOW) })
const list = (sent: object, user = userId) => requests(ctxOf(user), requestsContract.requests.input.parse({ ...range(), ...sent }))
const counts = (sent: object = {}, user = userId) => requestCounts(ctxOf(user), requestsContract.requestCounts.input.parse({ ...range(), ...sent }))

test('billed and refused calls stand in one order, each once, whatever the size of a page', async () => {
  const whole = (await list({ pageSize: 100 })).rowList
  expect(whole).toHaveLength(80)
  expect(whole.map((row) => row.startedAt)).toEqual(whole.map((row) => row.startedAt).toSorted((a, b) => (a < b ? 1 : -1)))
  for (const pageSize of [1, 7, 30]) {
    const seen: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ pageSize, after: after || undefined })
      seen.push(...page.rowList.map((row) => row.id))
      after = page.next
    }
    expect(seen).toEqual(whole.map((row) => row.id))
  }
})

test.each([{}, { keyId: 'key' }, { model: 'claude-opus-5-5' }, { model: 'gpt-6-luna' }])(
  'the counts of %j add up, and each is what its filter lists',
  async (wish) => {
    const sent = 'keyId' in wish ? { keyId: key.keyId } : wish
    const { all, kept, in_progress: underWay, ...by } = await counts(sent)
    expect(Object.values(by).reduce((sum, n) => sum + n, underWay)).toBe(all)
    expect(kept).toBe(by.refused)
    expect((await list({ ...sent, pageSize: 100 })).rowList).toHaveLength(all)
    for (const [state, count] of Object.entries(by)) {
      const rows = (await list({ ...sent, state, pageSize: 100 })).rowList
      expect([state, rows.length]).toEqual([state, count])
      expect(new Set(rows.map((row) => row.state))).toEqual(new Set(count ? [state] : []))
    }
  },
)

test('an id of any kind finds its call, and no other account’s', async () => {
  const [first] = (await list({ state: 'refused' })).rowList
  const [billed] = (await list({ state: 'completed' })).rowList
  for (const find of [first!.id, first!.requestId, first!.id.slice(4)]) expect((await list({ find })).rowList.map((row) => row.id)).toContain(first!.id)
  expect((await list({ find: billed!.id })).rowList.map((row) => row.id)).toEqual([billed!.id])
  expect((await list({ find: first!.id }, stranger)).rowList).toEqual([])
  expect((await list({ find: 'nothing' })).rowList).toEqual([])
  await expect(refusedCall(ctxOf(stranger), { id: first!.id })).rejects.toMatchObject({ errorName: 'CALL_NOT_FOUND' })
})

test('calls under way are listed with what they hold, counted, and leave the list with their row', async () => {
  const user = await aFundedUser(db, { purchased: parseUsd('100') })
  const mine = (await aKey(db, user, { name: 'claude code 本机' })).key
  const second = (await aKey(db, user, { name: 'n8n' })).key
  const opened = [0, 17_000, 90_000].map((ago, i) =>
    aReservedCall(
      i ? mine : second,
      { leaseId: 1n },
      { held: parseUsd(`0.0${i + 1}`), more: { startedAt: NOW - ago, callId: `call_${createCallKey(NOW - ago)}` } },
    ),
  )
  await writeFlush(db, 'n', { opened, settled: [], closed: [] })
  const open = (sent: object = {}, who = user) => openCalls(ctxOf(who), requestsContract.openCalls.input.parse({ ...range(), ...sent }))
  expect(await open()).toMatchObject({ count: 3, held: '0.06' })
  expect((await open()).rowList.map((row) => [row.id, row.keyName, row.held])).toEqual([
    [opened[0]!.callId, 'n8n', '0.01'],
    [opened[1]!.callId, 'claude code 本机', '0.02'],
    [opened[2]!.callId, 'claude code 本机', '0.03'],
  ])
  expect(await open({ keyId: mine.keyId })).toMatchObject({ count: 2, held: '0.05' })
  expect((await open({ model: 'claude-opus-5-5' })).rowList).toEqual([])
  expect(await open({ keyId: mine.keyId }, stranger)).toMatchObject({ rowList: [], count: 0, held: '0' })
  expect(await counts({}, user)).toMatchObject({ all: 3, in_progress: 3, completed: 0 })
  const ended = aSettledCall(opened[1]!, 5n)
  await writeFlush(db, 'n', { opened: [], settled: [ended], closed: [ended] })
  expect((await open()).rowList.map((row) => row.id)).toEqual([opened[0]!.callId, opened[2]!.callId])
  expect(await counts({}, user)).toMatchObject({ all: 3, in_progress: 2, completed: 1 })
})

test('a refused call tells its reason and the answer that was sent', async () => {
  const [row] = (await list({ state: 'refused' })).rowList
  const detail = await refusedCall(ctxOf(userId), { id: row!.id })
  expect(detail).toMatchObject({ amount: '0', status: 403, cause: 'model_not_allowed', path: '/v1/chat/completions' })
  expect(JSON.parse(detail.body)).toEqual({
    error: { message: detail.message, type: 'invalid_request_error', param: 'model', code: 'model_not_allowed' },
  })
})

test('calls without a row are in the counts; after a month all are deleted', async () => {
  const before = await counts()
  await record(Array.from({ length: 500 }, () => aRefusedRequest(key, NOW - 5 * MINUTE)))
  const after = await counts()
  expect(after.refused - before.refused).toBe(500)
  expect(after.kept - before.kept).toBe(20)
  expect(after.all - before.all).toBe(500)
  await record([aRefusedRequest(key, NOW, { asked: 'x\u0000y'.repeat(100), message: '\u0000'.repeat(2000), cause: 'no_model', model: '' })])
  await db.owner.query(
    `update gateway_refused set at = at - interval '31 days' where account_id = $1 and id in (select id from gateway_refused where account_id = $1 limit 5)`,
    [key.accountId],
  )
  await deleteOldRefused(db)
  expect(await db.query(`select 1 from gateway_refused where at < now() - interval '30 days'`)).toEqual([])
})

test('queries of the pages use indexes, not table scans', async () => {
  await db.owner.query('analyze gateway_refused, gateway_refused_hours')
  const plan = async (sql: string, values: unknown[]) => {
    const rows = await transact(db, SYSTEM, async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  expect(
    await plan('select * from gateway_refused where account_id = $1 and (at, id) < ($2, $3) order by at desc, id desc limit 30', [1, new Date(), 'ref_']),
  ).toMatch(/Index Scan Backward using gateway_refused_pkey/)
  expect(await plan(`select count(*) from gateway_usage where account_id = $1 and outcome <> 'completed' and started_at >= $2`, [1, new Date(NOW)])).toMatch(
    /Index Only Scan using gateway_usage_\d+_account_id_started_at_outcome/,
  )
})
