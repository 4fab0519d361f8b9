import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { REDIS_PROGRAM, REDIS_STATUS, startTestRedis } from '#platform/testing/redis.ts'
import type { TestRedis } from '#platform/testing/redis.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey } from '../builders.ts'
import type { StoredLimits } from '../keys/data-limits.ts'
import type { ApiKey, QuotaAnswer } from '../hot/deps.ts'
import { createQuota } from './index.ts'
import type { RunningQuota } from './postgres.ts'

const log = createLog('silent')
const PARALLEL = 200
/** The default timeout for Redis. */
const SHORT_MS = 500
let db: Db & { url: string; owner: Db }
let redis: TestRedis
const nodes: RunningQuota[] = []

beforeAll(async () => {
  if (!REDIS_PROGRAM) return
  db = await useTestDb({ max: 12 })
  redis = await startTestRedis()
})
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
})
afterAll(() => redis?.stop())

/** Creates a node with a timeout for Redis that exceeds the delays of a slow machine, unless a test needs a shorter one. */
const aNode = (commandMs = scaleTimeout(5_000)) => {
  const name = createId('node')
  const node = createQuota(db, () => name, { log, redisUrl: redis.url, commandMs })
  nodes.push(node)
  return node
}
async function limitedKey(limits: Partial<StoredLimits>): Promise<ApiKey> {
  return (await aKey(db, await aFundedUser(db), { name: 'limited', limits })).key
}
const aQuotaAsk = (key: ApiKey, tokens = 0, held = 0n) => ({ callId: createId('call'), key, held, tokens, startedAt: Date.now() })
/** Starts nodes that are connected and have loaded their scripts. */
async function startReadyNodes(count = 3, commandMs?: number): Promise<RunningQuota[]> {
  const some = Array.from({ length: count }, () => aNode(commandMs))
  const probe = await limitedKey({ requestsMinute: 1000 })
  for (const node of some) while ((await node.take(aQuotaAsk(probe))).taken?.store !== 'redis') await new Promise(setImmediate)
  return some
}
const takeInParallel = (some: readonly RunningQuota[], key: ApiKey, tokens = 0) =>
  Promise.all(Array.from({ length: PARALLEL }, (_, i) => some[i % some.length]!.take(aQuotaAsk(key, tokens))))
const listTaken = (answers: readonly QuotaAnswer[]) => answers.flatMap((answer) => answer.taken ?? [])
const takesInPostgres = async (key: ApiKey) => Number((await db.query('select count(*) as n from gateway_takes where key_id = $1', [key.keyId]))[0]!.n)

describe.skipIf(!REDIS_PROGRAM)(`counted in Redis (${REDIS_STATUS})`, () => {
  test('two hundred at once from three nodes: exactly the requests, the calls at once and the tokens', async () => {
    const some = await startReadyNodes()
    const byRequests = await limitedKey({ requestsMinute: 41 })
    const first = await takeInParallel(some, byRequests)
    expect(listTaken(first)).toHaveLength(41)
    expect(new Set(listTaken(first).map((taken) => taken.store))).toEqual(new Set(['redis']))
    for (const { refusal } of first) if (refusal) expect(refusal).toMatchObject({ by: 'requests', limit: 41n, used: 41n })
    expect(await takesInPostgres(byRequests)).toBe(0)

    const atOnce = await limitedKey({ callsAtOnce: 17 })
    const open = listTaken(await takeInParallel(some, atOnce))
    expect(open).toHaveLength(17)
    await Promise.all(open.slice(0, 5).map((taken) => some[1]!.end(taken, 0)))
    await some[2]!.end(open[0]!, 0)
    expect(listTaken(await takeInParallel(some, atOnce))).toHaveLength(5)

    const byTokens = await limitedKey({ tokensMinute: 10_500n })
    const ten = listTaken(await takeInParallel(some, byTokens, 1000))
    expect(ten).toHaveLength(10)
    await Promise.all(ten.map((taken) => some[0]!.end(taken, 150)))
    const after = await some[1]!.take(aQuotaAsk(byTokens, 9000))
    expect(after.taken).toBeDefined()
    expect(after.standing.tokens).toMatchObject({ limit: 10_500, left: 0 })
    expect((await some[1]!.take(aQuotaAsk(byTokens, 10_501))).refusal).toMatchObject({ by: 'tokens', retryMs: undefined })
    expect((await some[1]!.take(aQuotaAsk(byTokens, 1))).refusal!.retryMs).toBeLessThanOrEqual(60_000)
  })

  test('checking takes no place', async () => {
    const [node] = await startReadyNodes(1)
    const key = await limitedKey({ requestsMinute: 2, callsAtOnce: 1, tokensMinute: 100n })
    for (let i = 0; i < 5; i++) expect((await node!.ask(aQuotaAsk(key, 60))).standing).toMatchObject({ requests: { left: 1 }, tokens: { left: 40 } })
    expect((await node!.take(aQuotaAsk(key, 60))).taken).toBeDefined()
    expect((await node!.ask(aQuotaAsk(key, 1))).refusal?.by).toBe('concurrency')
  })

  test('dollars are counted in PostgreSQL, beside the books', async () => {
    const [node] = await startReadyNodes(1)
    const key = await limitedKey({ requestsMinute: 5, dayBudget: 1_000_000_000n })
    expect((await node!.take(aQuotaAsk(key, 0, 600_000_000n))).taken?.store).toBe('postgres')
    expect((await node!.take(aQuotaAsk(key, 0, 600_000_000n))).refusal?.by).toBe('day')
  })

  test('a dead process’s place becomes free, a living one’s does not', async () => {
    const [dead, living] = await startReadyNodes(2)
    const key = await limitedKey({ callsAtOnce: 2 })
    expect((await dead!.take(aQuotaAsk(key))).taken).toBeDefined()
    expect((await living!.take(aQuotaAsk(key))).taken).toBeDefined()
    expect((await living!.take(aQuotaAsk(key))).refusal?.by).toBe('concurrency')
    const open = `mingxi:{${key.keyId}}:open`
    const [first] = await redis.spy.zrange(open, '0', '0')
    // Its place has expired without renewal.
    await redis.spy.zadd(open, 'XX', 1, first!)
    expect((await living!.take(aQuotaAsk(key))).taken).toBeDefined()
    expect((await living!.take(aQuotaAsk(key))).refusal?.by).toBe('concurrency')
    expect(await redis.spy.pttl(open)).toBeGreaterThan(20_000)
  })

  test('while it is away PostgreSQL counts, exactly as well; when it is back it counts again', async () => {
    const some = await startReadyNodes()
    const key = await limitedKey({ requestsMinute: 29, callsAtOnce: 500 })
    const before = (await some[0]!.take(aQuotaAsk(key))).taken!
    expect(before.store).toBe('redis')
    await redis.kill()
    const away = listTaken(await takeInParallel(some, key))
    expect(away).toHaveLength(29)
    expect(new Set(away.map((taken) => taken.store))).toEqual(new Set(['postgres']))
    await some[0]!.end(before, 0)
    await redis.start()
    for (const node of some) while ((await node.take(aQuotaAsk(await limitedKey({ callsAtOnce: 9 })))).taken?.store !== 'redis') await new Promise(setImmediate)
    const back = listTaken(await takeInParallel(some, key))
    expect(back).toHaveLength(29)
    expect(new Set(back.map((taken) => taken.store))).toEqual(new Set(['redis']))
    await Promise.all(away.map((taken) => some[0]!.end(taken, 0)))
    expect(await takesInPostgres(key)).toBe(0)
  })

  test('a process whose event loop was blocked does not take Redis for unavailable', async () => {
    const [node] = await startReadyNodes(1, SHORT_MS)
    const key = await limitedKey({ callsAtOnce: 3 })
    const taking = node!.take(aQuotaAsk(key))
    await new Promise(setImmediate)
    // Block for longer than the timeout, without a turn of the event loop in which the reply could be read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
    expect((await taking).taken?.store).toBe('redis')
  })

  test('a call whose answer from Redis is late is counted in PostgreSQL, and its place in Redis is freed at once', async () => {
    const [node] = await startReadyNodes(1, SHORT_MS)
    const key = await limitedKey({ callsAtOnce: 1 })
    await redis.spy.client('PAUSE', 1200)
    const { taken } = await node!.take(aQuotaAsk(key))
    expect(taken?.store).toBe('postgres')
    await expect.poll(() => redis.spy.zcard(`mingxi:{${key.keyId}}:open`)).toBe(0)
    await node!.end(taken!, 0)
    await expect.poll(async () => (await node!.take(aQuotaAsk(key))).taken?.store).toBe('redis')
  })
})
