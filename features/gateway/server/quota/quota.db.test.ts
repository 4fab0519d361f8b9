import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import { selectBudgetUse } from '../keys/data-limits.ts'
import type { StoredLimits } from '../keys/data-limits.ts'
import type { ApiKey, QuotaAnswer, QuotaTake } from '../hot/deps.ts'
import { createJournal } from '../journal/journal.ts'
import type { RunningJournal } from '../journal/journal.ts'
import { sweepTakes, takeCalls } from './data-quota.ts'
import { createPostgresQuota } from './postgres.ts'
import type { RunningQuota } from './postgres.ts'

const log = createLog('silent')
const USD = 1_000_000_000n
const PARALLEL = 200
let db: Db & { url: string; owner: Db }
const nodes: { quota: RunningQuota; journal: RunningJournal }[] = []

beforeAll(async () => {
  db = await useTestDb({ max: 20 })
})
afterEach(async () => {
  for (const { quota, journal } of nodes.splice(0)) {
    await quota.stop()
    await journal.stop()
  }
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

async function aNode() {
  const journal = await createJournal(db, log, { deadMs: 10_000 })
  const node = { journal, quota: createPostgresQuota(db, () => journal.node, log) }
  nodes.push(node)
  return node
}
const startThreeNodes = () => Promise.all([aNode(), aNode(), aNode()])

async function limitedKey(limits: Partial<StoredLimits>, purchased = 1000n * USD): Promise<ApiKey> {
  const userId = await aFundedUser(db, { purchased })
  return (await aKey(db, userId, { name: 'limited', limits })).key
}
const aQuotaAsk = (key: ApiKey, held = 0n, { tokens = 0, startedAt = Date.now() }: { readonly tokens?: number; readonly startedAt?: number } = {}) => ({
  callId: createId('call'),
  key,
  held,
  tokens,
  startedAt,
})
const countVerdicts = (answers: readonly QuotaAnswer[]) => {
  const counts: Record<string, number> = {}
  for (const { refusal } of answers) counts[refusal?.by ?? 'taken'] = (counts[refusal?.by ?? 'taken'] ?? 0) + 1
  return counts
}
const listTaken = (answers: readonly QuotaAnswer[]) => answers.flatMap((answer) => answer.taken ?? [])
const openTakes = async (key: ApiKey) => Number((await db.query('select count(*) as n from gateway_takes where key_id = $1', [key.keyId]))[0]!.n)

/** Takes all calls at once from three processes that share a database. */
async function takeInParallel(
  key: ApiKey,
  held = 0n,
  { tokens = 0, count = PARALLEL }: { readonly tokens?: number; readonly count?: number } = {},
): Promise<QuotaAnswer[]> {
  const three = await startThreeNodes()
  return Promise.all(Array.from({ length: count }, (_, i) => three[i % 3]!.quota.take(aQuotaAsk(key, held, { tokens }))))
}

test.each([
  { requestsMinute: 2, by: 'requests' },
  { tokensMinute: 100n, by: 'tokens' },
])('two requests that are both held up midway are counted one after the other: $by', async ({ by, ...limits }) => {
  const key = await limitedKey(limits)
  const { journal, quota } = await aNode()
  expect((await quota.take(aQuotaAsk(key, 0n, { tokens: 50 }))).refusal).toBeUndefined()
  // warm up connections with planned statements, because planning needs the table locked below
  const other = await limitedKey({ requestsMinute: 100 })
  await Promise.all([1, 2, 3].map(() => takeCalls(db, journal.node, [aQuotaAsk(other)])))
  const owner = await db.owner.pool.connect()
  try {
    // the counts are read before the key's limits: the lock stops both calls between the two
    await owner.query('begin; lock table gateway_keys in access exclusive mode')
    const both = [1, 2].map(() => takeCalls(db, journal.node, [aQuotaAsk(key, 0n, { tokens: 50 })]))
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and query like '%gateway_take%' and cardinality(pg_blocking_pids(pid)) > 0
      and pid <> pg_backend_pid()`
    await waitForValue(async () => (await db.owner.query(waiting)).length === 2, 'both to wait')
    await owner.query('commit')
    expect((await Promise.all(both)).map(([row]) => row!.verdict).toSorted()).toEqual([by, 'taken'].toSorted())
  } finally {
    owner.release()
  }
})

describe('two hundred at once from three nodes', () => {
  test('exactly the requests of a minute', async () => {
    const key = await limitedKey({ requestsMinute: 37 })
    const answers = await takeInParallel(key)
    expect(countVerdicts(answers)).toEqual({ taken: 37, requests: PARALLEL - 37 })
    for (const { refusal, standing } of answers) {
      expect(standing.requests!.limit).toBe(37)
      if (!refusal) continue
      expect(refusal).toMatchObject({ limit: 37n, used: 37n })
      expect(refusal.retryMs).toBeGreaterThan(0)
      expect(refusal.retryMs).toBeLessThanOrEqual(60_000)
      expect(standing.requests!.left).toBe(0)
    }
    expect(
      answers
        .filter((answer) => answer.taken)
        .map((answer) => answer.standing.requests!.left)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 37 }, (_, i) => i))
  })

  test('exactly the calls at once, and as many again when they have ended', async () => {
    const key = await limitedKey({ callsAtOnce: 23 })
    const first = await takeInParallel(key)
    expect(countVerdicts(first)).toEqual({ taken: 23, concurrency: PARALLEL - 23 })
    await Promise.all(
      listTaken(first)
        .slice(0, 9)
        .map((taken) => nodes[0]!.quota.end(taken, 10)),
    )
    expect(countVerdicts(await takeInParallel(key))).toEqual({ taken: 9, concurrency: PARALLEL - 9 })
  })

  test('exactly the tokens of a minute, corrected by what calls really came to', async () => {
    const key = await limitedKey({ tokensMinute: 10_500n })
    const first = await takeInParallel(key, 0n, { tokens: 1000 })
    expect(countVerdicts(first)).toEqual({ taken: 10, tokens: PARALLEL - 10 })
    const { quota } = nodes[0]!
    expect((await quota.take(aQuotaAsk(key, 0n, { tokens: 500 }))).taken).toBeDefined()
    await Promise.all(listTaken(first).map((taken) => quota.end(taken, 200)))
    const after = await quota.take(aQuotaAsk(key, 0n, { tokens: 1 }))
    expect(after.standing.tokens).toMatchObject({ limit: 10_500, left: 10_500 - 10 * 200 - 500 - 1 })
    const tooLarge = await quota.take(aQuotaAsk(key, 0n, { tokens: 10_501 }))
    expect(tooLarge.refusal).toMatchObject({ by: 'tokens', retryMs: undefined })
  })

  test.each([
    ['day', { dayBudget: 2n * USD }],
    ['month', { monthBudget: 2n * USD }],
  ] as const)('exactly what the budget of a %s affords, and what calls leave of it', async (by, limits) => {
    const key = await limitedKey(limits)
    const held = 90_000_000n // 22 of them are 1.98 dollars
    const three = await startThreeNodes()
    const spent = await spend(three, key, { held, cost: 10_000_000n })
    expect(spent.taken).toBe(22)
    expect(spent.refused).toEqual({ [by]: PARALLEL - 22 })
    // 22 calls of a cent: 1.78 dollars are left, 19 holds more.
    expect(countVerdicts(await takeInParallel(key, held))).toEqual({ taken: 19, [by]: PARALLEL - 19 })
  })
})

/** Runs whole calls that all begin before any ends: taken, promised, settled at `cost`, ended. */
async function spend(
  three: readonly { quota: RunningQuota; journal: RunningJournal }[],
  key: ApiKey,
  { held, cost }: { readonly held: bigint; readonly cost: bigint },
) {
  const answers = await Promise.all(
    Array.from({ length: PARALLEL }, async (_, i) => {
      const asked = aQuotaAsk(key, held, { tokens: 100 })
      return { asked, node: three[i % 3]!, answer: await three[i % 3]!.quota.take(asked) }
    }),
  )
  const passed = answers.filter((one) => one.answer.taken)
  await Promise.all(
    passed.map(async ({ asked, node, answer }) => {
      const lease = await node.journal.admit(key, held)
      if (!isLease(lease)) throw new Error(lease)
      const call = aReservedCall(key, lease, { held, more: { callId: asked.callId, startedAt: asked.startedAt } })
      await node.journal.reserve(call, true)
      await node.journal.settle(aSettledCall(call, cost))
      await node.quota.end(answer.taken!, 100)
    }),
  )
  return { taken: passed.length, refused: countVerdicts(answers.flatMap((one) => (one.answer.taken ? [] : [one.answer]))) }
}

describe('money (M6): key quota, balance and daily cap together', () => {
  test.each([
    ['the cap', { dayBudget: 5n * USD, requestsMinute: 150 }, 10n * USD, 5],
    ['the balance', { dayBudget: 10n * USD, requestsMinute: 150 }, 4n * USD, 4],
    ['the requests', { dayBudget: 10n * USD, requestsMinute: 3 }, 8n * USD, 3],
  ] as const)('%s binds where it is the tightest', async (_, limits, purchased, passing) => {
    const key = await limitedKey(limits, purchased)
    const three = await startThreeNodes()
    const passed = await Promise.all(
      Array.from({ length: PARALLEL }, async (_unused, i) => {
        const { quota, journal } = three[i % 3]!
        const asked = aQuotaAsk(key, USD, { tokens: 10 })
        const { taken } = await quota.take(asked)
        if (!taken) return false
        const lease = await journal.admit(key, USD)
        if (!isLease(lease)) {
          await quota.end(taken, 0)
          return false
        }
        const call = aReservedCall(key, lease, { held: USD, more: { callId: asked.callId, startedAt: asked.startedAt } })
        await journal.reserve(call, true)
        await journal.settle(aSettledCall(call, USD))
        await quota.end(taken, 10)
        return true
      }),
    )
    expect(passed.filter(Boolean)).toHaveLength(passing)
    const [rows] = await db.query('select coalesce(sum(amount), 0)::bigint as amount from gateway_usage where key_id = $1', [key.keyId])
    const [use] = await selectBudgetUse(db, [key.keyId], toShanghaiDay(Date.now()))
    expect(use).toMatchObject({ daySpent: rows!.amount, monthSpent: rows!.amount, held: 0n, openCalls: 0n })
  })
})

test('a call that ends while another is checked is counted once, as a promise or as a row', async () => {
  const key = await limitedKey({ dayBudget: USD })
  const { quota, journal } = await aNode()
  const asked = aQuotaAsk(key, USD, { tokens: 10 })
  const { taken } = await quota.take(asked)
  const lease = await journal.admit(key, USD)
  if (!isLease(lease)) throw new Error(lease)
  const call = aReservedCall(key, lease, { held: USD, more: { callId: asked.callId, startedAt: asked.startedAt } })
  await journal.reserve(call, true)
  // Slow down reading the spent amount, so that the first call ends while the second is checked.
  const [text] = await db.owner.query<{ text: string }>(`select pg_get_functiondef('gateway_key_spent'::regproc) as text`)
  await db.owner.query('alter function gateway_key_spent rename to gateway_key_spent_at_once')
  await db.owner
    .query(`create function gateway_key_spent(p_key text, p_account bigint, p_day date, out day_spent bigint, out month_spent bigint) language plpgsql stable as $$
    begin
      select s.day_spent, s.month_spent into day_spent, month_spent from gateway_key_spent_at_once(p_key, p_account, p_day) s;
      perform pg_sleep(0.6);
    end $$`)
  try {
    const second = quota.take(aQuotaAsk(key, USD, { tokens: 10 }))
    await sleep(200)
    await journal.settle(aSettledCall(call, USD))
    await quota.end(taken!, 10)
    expect((await second).refusal?.by).toBe('day')
  } finally {
    await db.owner.query('drop function gateway_key_spent')
    await db.owner.query('alter function gateway_key_spent_at_once rename to gateway_key_spent')
  }
  expect((await db.owner.query<{ text: string }>(`select pg_get_functiondef('gateway_key_spent'::regproc) as text`))[0]).toEqual(text)
})

describe('places of lost calls', () => {
  // Clear takes of earlier tests: on a slow machine their process counts as dead, and they would be swept too.
  beforeEach(() => db.owner.query('delete from gateway_takes'))
  const die = (node: string) => db.owner.query(`update gateway_nodes set beat_at = now() - interval '1 hour' where node = $1`, [node])
  const age = (key: ApiKey) => db.owner.query(`update gateway_takes set taken_at = now() - interval '1 minute' where key_id = $1`, [key.keyId])

  test('a dead process’s slots and reserved dollars are given back once the call itself has ended', async () => {
    const key = await limitedKey({ callsAtOnce: 2, dayBudget: USD })
    const dead = await aNode()
    const asks = [aQuotaAsk(key, USD / 2n), aQuotaAsk(key, USD / 2n)]
    for (const one of asks) expect((await dead.quota.take(one)).taken).toBeDefined()
    const lease = await dead.journal.admit(key, USD / 2n)
    if (!isLease(lease)) throw new Error(lease)
    const open = aReservedCall(key, lease, { held: USD / 2n, more: { callId: asks[0]!.callId } })
    await dead.journal.reserve(open, true)
    const living = await aNode()
    expect((await living.quota.take(aQuotaAsk(key, 1n))).refusal?.by).toBe('concurrency')

    // The process is alive: repeated sweeps release nothing.
    await age(key)
    expect(await sweepTakes(db, 10_000)).toEqual({ dead: 0, strays: 0 })
    await die(dead.journal.node)
    // One call is still open: only the other one, which never got a row, is released.
    expect(await sweepTakes(db, 10_000)).toEqual({ dead: 1, strays: 0 })
    expect(await openTakes(key)).toBe(1)
    await dead.journal.settle(aSettledCall(open, USD / 4n))
    expect(await sweepTakes(db, 10_000)).toEqual({ dead: 1, strays: 0 })
    expect((await living.quota.take(aQuotaAsk(key, (3n * USD) / 4n + 1n))).refusal?.by).toBe('day')
    expect((await living.quota.take(aQuotaAsk(key, (3n * USD) / 4n))).taken).toBeDefined()
  })

  test('a place that a living process lost is given back later', async () => {
    const key = await limitedKey({ callsAtOnce: 1 })
    const { quota } = await aNode()
    await quota.take(aQuotaAsk(key))
    await db.owner.query(`update gateway_takes set taken_at = now() - interval '11 minutes' where key_id = $1`, [key.keyId])
    expect(await sweepTakes(db, 10_000)).toEqual({ dead: 0, strays: 1 })
  })

  test('a place that a session keeps is not lost, however long it waits; keep() returns false for a lost one', async () => {
    const key = await limitedKey({ callsAtOnce: 1 })
    const { quota } = await aNode()
    const { taken } = await quota.take(aQuotaAsk(key))
    // Long enough for a node to count as alive on the slowest machine.
    const PATIENT = 300_000
    const grow = () => db.owner.query(`update gateway_takes set taken_at = taken_at - interval '6 minutes' where key_id = $1`, [key.keyId])
    for (let n = 0; n < 3; n++) {
      await grow()
      expect(await quota.keep(taken!)).toBe(true)
      expect((await sweepTakes(db, PATIENT)).strays).toBe(0)
      expect((await quota.take(aQuotaAsk(key))).refusal?.by).toBe('concurrency')
    }
    await grow()
    await grow()
    expect((await sweepTakes(db, PATIENT)).strays).toBe(1)
    expect(await quota.keep(taken!)).toBe(false)
  })

  test('the end of a call is sent until the database has it, and may be sent twice', async () => {
    const key = await limitedKey({ callsAtOnce: 1, tokensMinute: 1000n })
    const { journal } = await aNode()
    let away = true
    const sql: Db = {
      ...db,
      query: ((text: string, values?: readonly unknown[], name?: string) =>
        away && text.includes('gateway_end_takes') ? Promise.reject(new Error('away')) : db.query(text, values, name)) as Db['query'],
    }
    const quota = createPostgresQuota(sql, () => journal.node, log)
    const { taken } = await quota.take(aQuotaAsk(key, 0n, { tokens: 400 }))
    await quota.end(taken as QuotaTake, 100)
    expect(await openTakes(key)).toBe(1)
    away = false
    await quota.stop()
    expect(await openTakes(key)).toBe(0)
    await nodes[0]!.quota.end(taken as QuotaTake, 100)
    expect((await nodes[0]!.quota.take(aQuotaAsk(key, 0n, { tokens: 0 }))).standing.tokens!.left).toBe(900)
  })
})

test('a request under the id of a place in use is refused alone: that place stays, and others of the batch are taken', async () => {
  const [mine, other] = [await limitedKey({ callsAtOnce: 2, dayBudget: USD }), await limitedKey({ callsAtOnce: 1 })]
  const { quota } = await aNode()
  const running = aQuotaAsk(mine, USD / 2n)
  expect((await quota.take(running)).taken).toBeDefined()
  const [again, theirs] = await Promise.allSettled([quota.take(running), quota.take(aQuotaAsk(other))])
  expect([again.status, theirs.status]).toEqual(['rejected', 'fulfilled'])
  // pending ends are written by now
  await quota.stop()
  expect([await openTakes(mine), await openTakes(other)]).toEqual([1, 1])
})

test('checking takes no place', async () => {
  const key = await limitedKey({ requestsMinute: 2, callsAtOnce: 1, dayBudget: USD })
  const { quota } = await aNode()
  for (let i = 0; i < 5; i++) expect((await quota.ask(aQuotaAsk(key, USD))).standing.requests!.left).toBe(1)
  expect((await quota.ask(aQuotaAsk(key, USD + 1n))).refusal).toMatchObject({ by: 'day', used: 0n })
  expect(await openTakes(key)).toBe(0)
  const { taken } = await quota.take(aQuotaAsk(key, USD))
  expect((await quota.ask(aQuotaAsk(key, 0n))).refusal?.by).toBe('concurrency')
  await quota.end(taken!, 0)
})

describe('windows of counting', () => {
  test('a minute is the running second and the 59 before it', async () => {
    const key = await limitedKey({ requestsMinute: 2, tokensMinute: 100n })
    const { quota } = await aNode()
    await quota.take(aQuotaAsk(key, 0n, { tokens: 60 }))
    await quota.take(aQuotaAsk(key, 0n, { tokens: 30 }))
    const full = await quota.take(aQuotaAsk(key, 0n, { tokens: 1 }))
    expect(full.refusal).toMatchObject({ by: 'requests' })
    const shift = (seconds: number) =>
      db.owner.query(
        `update gateway_key_minutes set second = second - $2, requests = array(select requests[(i - 1 + $2) % 60 + 1] from generate_series(1, 60) i),
         tokens = array(select tokens[(i - 1 + $2) % 60 + 1] from generate_series(1, 60) i) where key_id = $1`,
        [key.keyId, seconds],
      )
    // Nearly a minute later the window is still full, if this is the last second of it.
    await shift(30)
    const half = await quota.take(aQuotaAsk(key, 0n, { tokens: 1 }))
    expect(half.refusal!.retryMs).toBeLessThanOrEqual(30_000)
    await shift(30)
    expect((await quota.take(aQuotaAsk(key, 0n, { tokens: 100 }))).taken).toBeDefined()
  })

  test('a call counts on the Shanghai day on which it began, like its usage row', async () => {
    const key = await limitedKey({ dayBudget: USD })
    const { quota } = await aNode()
    const midnight = new Date(`${toShanghaiDay(Date.now())}T00:00:00+08:00`).getTime()
    expect((await quota.take(aQuotaAsk(key, USD, { tokens: 0, startedAt: midnight - 1 }))).taken).toBeDefined()
    expect((await quota.take(aQuotaAsk(key, 1n, { tokens: 0, startedAt: midnight - 1 }))).refusal?.by).toBe('day')
    expect((await quota.take(aQuotaAsk(key, USD, { tokens: 0, startedAt: midnight }))).taken).toBeDefined()
    expect((await quota.take(aQuotaAsk(key, 1n, { tokens: 0, startedAt: midnight }))).refusal?.by).toBe('day')
  })

  test('use from before the budget was set counts too', async () => {
    const key = await limitedKey({})
    const { journal, quota } = await aNode()
    const lease = await journal.admit(key, USD)
    if (!isLease(lease)) throw new Error(lease)
    const call = aReservedCall(key, lease, { held: USD })
    await journal.reserve(call, true)
    await journal.settle(aSettledCall(call, (3n * USD) / 4n))
    await db.query('update gateway_keys set day_budget = $2 where key_id = $1', [key.keyId, USD])
    expect((await quota.take(aQuotaAsk(key, USD / 4n + 1n))).refusal).toMatchObject({ by: 'day', limit: USD, used: (3n * USD) / 4n })
    expect((await quota.take(aQuotaAsk(key, USD / 4n))).taken).toBeDefined()
  })
})
