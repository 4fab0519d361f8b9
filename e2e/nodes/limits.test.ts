import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#platform/server/database/db.ts'
import { NANO_PER_USD, parseUsd, addNano, sumNano, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { REDIS_PROGRAM, REDIS_STATUS, startTestRedis } from '#platform/testing/redis.ts'
import type { TestRedis } from '#platform/testing/redis.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { StoredLimits } from '#features/gateway/server/keys/data-limits.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { WALLET_AT_REST, readSandboxBook, readSettledBooks, readWalletFigures } from './books.ts'
import type { SandboxBookEntry } from './books.ts'
import { aKeyPayer } from './stage.ts'
import type { NodesStage } from './stage.ts'

// One key, three gateway processes, many parallel requests: exactly as many as fit are served, counted in PostgreSQL and in Redis. A slot
// is held by a stream that stays silent until its client disconnects and for a second after that, so that the result does not depend on the
// machine's speed.
/** Parallel requests over the three nodes; 200 for a release. */
const PARALLEL = Number(process.env['LIMITS_PARALLEL'] ?? 48)
const ENV = { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', GATEWAY_NODE_DEAD_MS: '60000', SANDBOX_CHUNK_MS: '1', GATEWAY_READ_ON_MS: '1000' }
const RICH = 100n * NANO_PER_USD
/** A budget that is never reached: keys with one are counted in PostgreSQL. */
const FAR = { dayBudget: 10_000n * NANO_PER_USD }
const SILENT = '[[sandbox:fault=stall,event=2]]'

let stage: NodesStage
let redis: TestRedis | undefined
beforeAll(async () => {
  redis = REDIS_PROGRAM ? await startTestRedis() : undefined
  const outside = await startTestServer({ roles: 'worker,sandbox', env: ENV })
  const env = {
    ...ENV,
    SANDBOX_UPSTREAM_URL: `${outside.baseUrl}/sandbox/upstream`,
    ...(redis && { REDIS_URL: redis.url, REDIS_AWAY_MS: String(scaleTimeout(5_000)) }),
  }
  const nodes = await Promise.all([1, 2, 3].map(() => startTestServer({ roles: 'gateway', databaseUrl: outside.databaseUrl, env })))
  const db = connect(outside.databaseUrl, { max: 4, asOwner: true })
  stage = { outside, nodes, db, killPostgres: () => Promise.reject(new Error('shared with others')), stop: async () => {} }
})
afterAll(async () => {
  await Promise.all([...(stage?.nodes ?? []), stage?.outside].map((server) => server?.stop()))
  await stage?.db.close()
  await redis?.stop()
})

interface Answer {
  readonly status: number
  readonly callId: string
  /** Error code of a refusal. */
  readonly code: string
  readonly headers: Headers
  /** Disconnects the client; the call ends. */
  leave(): void
}
type Payer = Awaited<ReturnType<typeof aKeyPayer>>

/** Keeps a reference to each response: fetch cancels a response that is garbage collected. */
const open: Response[] = []
const served: string[] = []
const refused: string[] = []

/** Same length for every `n`, so that each call may cost the same tokens and dollars. */
const bodyOf = (n: number, prompt: string) =>
  JSON.stringify({
    // Failures open the circuit breaker of a separate model.
    model: prompt.includes('fault=error') ? 'gpt-4o' : 'gpt-6-luna',
    stream: prompt.includes(SILENT),
    max_tokens: 40,
    messages: [{ role: 'user', content: `${String(n).padStart(6, '0')} ${prompt}` }],
  })

async function openLimitedCall(n: number, { secret }: Payer, prompt: string): Promise<Answer> {
  const left = new AbortController()
  const reply = await fetch(`${stage.nodes[n % 3]!.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
    body: bodyOf(n, prompt),
    signal: left.signal,
  })
  open.push(reply)
  const { status, headers } = reply
  const callId = (headers.get('x-mingxi-request-id') ?? '').replace(/^req_/, 'call_')
  if (status === 200) served.push(callId)
  else refused.push(callId)
  const text = status === 200 && prompt.includes(SILENT) ? '' : await reply.text()
  const { error } = (text ? JSON.parse(text) : {}) as { error?: { type: string; code: string } }
  return { status, callId, code: error ? `${error.type} ${error.code}` : '', headers, leave: () => left.abort() }
}

const openCallsInParallel = (payer: Payer, prompt = '', count = PARALLEL) =>
  Promise.all(Array.from({ length: count }, (_, n) => openLimitedCall(n, payer, prompt)))
const listPassed = (answers: readonly Answer[]) => answers.filter((answer) => answer.status === 200)
/** Expects that all other calls were refused for this reason and that their replies say so. */
function expectRefusals(answers: readonly Answer[], code: string): void {
  const others = answers.filter((answer) => answer.status !== 200)
  expect(others.map((answer) => `${answer.status} ${answer.code}`)).toEqual(others.map(() => `429 ${code}`))
  expect(others.filter((answer) => answer.headers.get('x-should-retry') !== 'false' && !answer.headers.get('retry-after'))).toEqual([])
}

const placesOf = async ({ key }: Payer): Promise<number> => {
  const [row] = await stage.db.query<{ n: number }>('select count(*)::int as n from gateway_takes where key_id = $1', [key.keyId])
  return row!.n + ((await redis?.spy.zcard(`mingxi:{${key.keyId}}:open`)) ?? 0)
}
async function leaveAll(payer: Payer, answers: readonly Answer[], left: number): Promise<void> {
  for (const answer of answers) answer.leave()
  await expect.poll(() => placesOf(payer)).toBe(left)
}
/** Total usage of the key's calls, from their rows. */
async function selectUsage({ key }: Payer): Promise<{ tokens: number; amount: Nano }> {
  const [row] = await stage.db.query<{ tokens: number; amount: Nano }>(
    'select coalesce(sum(input_tokens + output_tokens), 0)::int as tokens, coalesce(sum(amount), 0)::bigint as amount from gateway_usage where key_id = $1',
    [key.keyId],
  )
  return row!
}
async function fetchQuote({ secret }: Payer, node = stage.nodes[0]!): Promise<{ hold: string; allowed: boolean; minute_tokens: number }> {
  const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' }
  const reply = await fetch(`${node.baseUrl}/v1/quote`, { method: 'POST', headers, body: bodyOf(0, SILENT) })
  return (await reply.json()) as Awaited<ReturnType<typeof fetchQuote>>
}
/** The maximum cost of one silent call. */
async function fetchMaxUsage(payer: Payer): Promise<{ tokens: number; held: Nano }> {
  const { hold, minute_tokens: tokens } = await fetchQuote(payer)
  return { tokens, held: parseUsd(hold) }
}

const STORES = [
  ['PostgreSQL', FAR],
  [`Redis (${REDIS_STATUS})`, {}],
] as const
describe.for(STORES)('counted in %s', ([, limits]) => {
  const limited = (more: Partial<StoredLimits>) => aKeyPayer(stage.db, RICH, { onDisconnect: 'abort', limits: { ...limits, ...more } })
  const skipped = limits !== FAR && !REDIS_PROGRAM

  test.skipIf(skipped)('exactly the requests of a minute', async () => {
    const count = Math.ceil(PARALLEL / 5)
    const payer = await limited({ requestsMinute: count })
    const answers = await openCallsInParallel(payer)
    expect(listPassed(answers)).toHaveLength(count)
    expectRefusals(answers, 'requests rate_limit_exceeded')
    const left = listPassed(answers).map((answer) => Number(answer.headers.get('x-ratelimit-remaining-requests')))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
  })

  test.skipIf(skipped)('exactly the calls at once, and exactly as many again as have left', async () => {
    const count = Math.ceil(PARALLEL / 6)
    const payer = await limited({ callsAtOnce: count })
    const first = await openCallsInParallel(payer, SILENT)
    expect(listPassed(first)).toHaveLength(count)
    expectRefusals(first, 'concurrency rate_limit_exceeded')
    const gone = listPassed(first).slice(0, 3)
    await leaveAll(payer, gone, count - gone.length)
    const second = await openCallsInParallel(payer, SILENT)
    expect(listPassed(second)).toHaveLength(gone.length)
    expectRefusals(second, 'concurrency rate_limit_exceeded')
    await leaveAll(payer, [...first, ...second], 0)
  })

  test.skipIf(skipped)('exactly the tokens of a minute, corrected by what calls came to', async () => {
    const { tokens } = await fetchMaxUsage(await aKeyPayer(stage.db, RICH))
    const limit = tokens * 10
    const payer = await limited({ tokensMinute: BigInt(limit) })
    const first = await openCallsInParallel(payer, SILENT)
    expect(listPassed(first)).toHaveLength(10)
    expectRefusals(first, 'tokens rate_limit_exceeded')
    await leaveAll(payer, first, 0)
    const fits = Math.floor((limit - (await selectUsage(payer)).tokens) / tokens)
    expect(fits).toBeGreaterThan(0)
    const second = await openCallsInParallel(payer, SILENT)
    expect(listPassed(second)).toHaveLength(fits)
    expectRefusals(second, 'tokens rate_limit_exceeded')
    await leaveAll(payer, second, 0)
  })

  test.skipIf(skipped)('a call that fails gives its place back: for want of money, and at the vendor', async () => {
    const count = Math.ceil(PARALLEL / 6)
    const poor = await aKeyPayer(stage.db, 0n, { onDisconnect: 'abort', limits: { ...limits, callsAtOnce: count } })
    expect(listPassed(await openCallsInParallel(poor, SILENT, count))).toEqual([])
    expect(await placesOf(poor)).toBe(0)
    const broken = await limited({ callsAtOnce: count })
    const failed = await openCallsInParallel(broken, '[[sandbox:fault=error]]', count)
    expect(failed.filter((answer) => answer.status < 500)).toEqual([])
    await expect.poll(() => placesOf(broken)).toBe(0)
    await aFundedUser(stage.db, { userId: poor.key.userId, purchased: RICH })
    // A node caches an empty balance for a moment.
    for (const node of stage.nodes) await expect.poll(async () => (await fetchQuote(poor, node)).allowed).toBe(true)
    for (const payer of [poor, broken]) {
      const answers = await openCallsInParallel(payer, SILENT, count * 2)
      expect(listPassed(answers)).toHaveLength(count)
      await leaveAll(payer, answers, 0)
    }
  })

  test.skipIf(skipped)('the vendor’s own book never has more at once, and every retry is served in the end', async () => {
    const count = Math.ceil(PARALLEL / 6)
    const payer = await limited({ callsAtOnce: count })
    const untilServed = async (n: number): Promise<string> => {
      for (;;) {
        const answer = await openLimitedCall(n, payer, '[[sandbox:first=100]]')
        if (answer.status === 200) return answer.callId
        expect(answer.code).toBe('concurrency rate_limit_exceeded')
        await sleep(200 + Math.random() * 200)
      }
    }
    const calls = new Set(await Promise.all(Array.from({ length: PARALLEL }, (_, n) => untilServed(n))))
    const book = new Map<string, SandboxBookEntry>()
    await readSandboxBook(stage.outside.baseUrl, book)
    const spans = [...book.values()].filter((entry) => calls.has(entry.callId))
    expect(spans).toHaveLength(PARALLEL)
    const atOnce = spans.map(({ startedAt }) => spans.filter((other) => other.startedAt <= startedAt && other.endedAt! > startedAt).length)
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(count)
    expect(Math.max(...atOnce)).toBeGreaterThan(1)
  })
})

test.each([
  ['day', 'dayBudget', 'insufficient_quota key_day_budget_exceeded'],
  ['month', 'monthBudget', 'insufficient_quota key_month_budget_exceeded'],
] as const)('exactly what the dollars of a %s afford, and what calls leave of it', async (_, column, code) => {
  const { held } = await fetchMaxUsage(await aKeyPayer(stage.db, RICH))
  const budget = multiplyNano(held, 10)
  const all = await aKeyPayer(stage.db, RICH, { onDisconnect: 'abort', limits: { [column]: budget } })
  const ten = await openCallsInParallel(all, SILENT)
  expect(listPassed(ten)).toHaveLength(10)
  expectRefusals(ten, code)
  await leaveAll(all, ten, 0)
  const payer = await aKeyPayer(stage.db, RICH, { onDisconnect: 'abort', limits: { [column]: budget } })
  const first = await openCallsInParallel(payer, SILENT, 5)
  expect(listPassed(first)).toHaveLength(5)
  await leaveAll(payer, first, 0)
  const { amount } = await selectUsage(payer)
  let fits = 0
  while (addNano(amount, multiplyNano(held, fits + 1)) <= budget) fits++
  expect(fits).toBeGreaterThan(0)
  const second = await openCallsInParallel(payer, SILENT)
  expect(listPassed(second)).toHaveLength(fits)
  expectRefusals(second, code)
  await leaveAll(payer, second, 0)
  expect((await selectUsage(payer)).amount).toBeLessThanOrEqual(budget)
})

test('after all of it: a refused call was not served, a served one has one row at the vendor’s figure', async () => {
  await Promise.all(stage.nodes.map((node) => node.kill('SIGTERM')))
  const books = await readSettledBooks(stage)
  expect(refused.length).toBeGreaterThan(PARALLEL)
  // A call that failed at the vendor reached it, but cost nothing.
  expect(refused.filter((id) => books.vendor.has(id) || (books.rows.get(id)?.amount ?? 0n) > 0n)).toEqual([])
  expect(served.filter((id) => !books.rows.has(id))).toEqual([])
  const exact = [...books.rows.values()].filter((row) => row.provenance !== 'estimated' && row.provenance !== 'held' && row.amount > 0n)
  expect(exact.filter((row) => books.vendor.get(row.callId) !== row.amount)).toEqual([])
  expect(sumNano(exact.map((row) => row.amount))).toBeGreaterThan(0n)
  expect(await readWalletFigures(stage.db)).toEqual(WALLET_AT_REST)
})
