import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTwins } from './twins.ts'
import type { TwinServer } from './twins.ts'

/** The real server with three sandbox upstreams, each with its own port, prompt cache and book. */
let lab: TwinServer
beforeAll(async () => {
  lab = await startTwins()
})
afterAll(() => lab.stop())
afterEach(() => {
  for (const twin of lab.twins) twin.ill = undefined
})

const runMany = async <T>(n: number, atOnce: number, work: (i: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let i = next++; i < n; i = next++) results[i] = await work(i)
    }),
  )
  return results
}
const usageOf = (model: string) =>
  lab.db.query<{ callId: string; upstream: string; input: bigint; output: bigint; cached: bigint; amount: bigint }>(
    'select call_id, upstream, input_tokens as input, output_tokens as output, cached_tokens as cached, amount from gateway_usage where model = $1 order by started_at, call_id',
    [model],
  )
const createFailure =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse) => {
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'down', type: 'server_error', code: null } }))
  }

test('sessions share upstreams by weight', async () => {
  await lab.serve('gpt-4o', { 'twin-a': { weight: 100 }, 'twin-b': { weight: 300 } })
  await runMany(200, 16, (i) => lab.ask('gpt-4o', 'Hi', { body: { user: `u-${i}` } }))
  const [a, b, c] = lab.twins.map((twin) => twin.seen)
  expect([a! + b!, c]).toEqual([200, 0])
  // A quarter of 200, within four standard deviations.
  expect(Math.abs(a! - 50)).toBeLessThanOrEqual(25)
})

test('prompt caches stay warm: sticky sessions read from the cache, others pay again', async () => {
  await lab.serve('gpt-4.1', { 'twin-a': {}, 'twin-b': {}, 'twin-c': {} })
  const share = async (keyOf: (talk: number, turn: number) => string): Promise<number> => {
    let cached = 0
    let input = 0
    await runMany(10, 5, async (talk) => {
      const words = Array.from({ length: 1200 }, (_, i) => `${keyOf(talk, 0)}${i}`).join(' ')
      for (let turn = 0; turn < 4; turn++) {
        const answer = await lab.ask('gpt-4.1', `${words} ${'more '.repeat(turn)}`, { body: { prompt_cache_key: keyOf(talk, turn), max_tokens: 5 } })
        expect(answer.status).toBe(200)
        if (turn === 0) continue
        cached += answer.cached
        input += answer.input
      }
    })
    return cached / input
  }
  const sticky = await share((talk) => `s${talk}`)
  const loose = await share((talk, turn) => `l${talk}t${turn}`)
  console.log(`read from the prompt cache after the first turn: ${(sticky * 100).toFixed(1)} % sticky, ${(loose * 100).toFixed(1)} % without`)
  expect(sticky).toBeGreaterThan(0.9)
  expect(loose).toBeLessThan(sticky - 0.2)
})

describe('an upstream that fails', () => {
  test('a storm of 500s: every call is served, each billed once, and the storm is left after a few', async () => {
    await lab.serve('gpt-4.1-mini', { 'twin-a': { priority: 0 }, 'twin-b': { priority: 1 } })
    const [a, b] = lab.twins
    const already = (await usageOf('gpt-4.1-mini')).length
    a.ill = createFailure(500)
    const since = Date.now()
    const answers = await runMany(60, 4, (i) => lab.ask('gpt-4.1-mini', `Say ${i}`))
    expect(answers.map((answer) => answer.status)).toEqual(Array(60).fill(200))
    // Five consecutive failures open the breaker; three other calls were in progress.
    expect(a.seen).toBeLessThanOrEqual(8)
    expect(b.seen).toBe(60)
    const rows = (await usageOf('gpt-4.1-mini')).slice(already)
    expect(rows).toHaveLength(60)
    expect(new Set(rows.map((row) => row.upstream))).toEqual(new Set(['twin-b']))
    // Our rows equal the upstream's own book, call by call: no duplicates, and no charge from the upstream that failed (new-api#7486).
    for (const row of rows) {
      const entries = b.box.book.find(row.callId)
      expect(entries).toHaveLength(1)
      expect(entries[0]!.billed).toMatchObject({ input: Number(row.input), output: Number(row.output), cached: Number(row.cached) })
    }
    expect(a.box.book.list(since)).toEqual([])
    expect(lab.server.output()).toContain('gateway.breaker_open')
    const metrics = await (await fetch(`${lab.server.baseUrl}/metrics`)).text()
    expect(metrics).toContain('mingxi_upstream_breaker{upstream="twin-a",model="gpt-4.1-mini",kind="server"} 2')
    expect(metrics).toContain('mingxi_events_total{event="gateway.breaker_open"} 1')
  })

  test('nothing fails over once the client has seen a byte', async () => {
    await lab.serve('gpt-5-mini', { 'twin-a': { priority: 0 }, 'twin-b': { priority: 1 } })
    const answer = await lab.ask('gpt-5-mini', 'Hi [[sandbox:fault=cut,event=5,tokens=80]]', { body: { stream: true } })
    expect(answer.text).toContain('upstream_cut')
    expect(lab.twins.map((twin) => twin.seen)).toEqual([1, 0, 0])
  })

  test('when all of them fail, the client sees one error, and no upstream is called twice', async () => {
    await lab.serve('gpt-5-nano', { 'twin-a': {}, 'twin-b': {}, 'twin-c': {} })
    const already = (await usageOf('gpt-5-nano')).length
    for (const twin of lab.twins) twin.ill = createFailure(503)
    expect((await lab.ask('gpt-5-nano', 'Hi')).status).toBe(503)
    expect(lab.twins.map((twin) => twin.seen)).toEqual([1, 1, 1])
    // a refusal costs nothing and its response does not wait for the row
    await expect.poll(async () => (await usageOf('gpt-5-nano')).slice(already)).toMatchObject([{ amount: 0n, input: 0n, output: 0n }])
  })
})

describe('limits of an upstream', () => {
  test('calls beyond the limit go to the next, and an upstream never has more at once than it takes', async () => {
    await lab.change('twin-a', { concurrent: 3 })
    await lab.serve('gpt-4o-mini', { 'twin-a': { priority: 0 }, 'twin-b': { priority: 1 } })
    const answers = await runMany(60, 12, (i) => lab.ask('gpt-4o-mini', `Say ${i} [[sandbox:first=10]]`))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(lab.twins[0].mostOpen).toBeLessThanOrEqual(3)
    expect(lab.twins[1].seen).toBeGreaterThan(0)
    expect(lab.twins[0].seen + lab.twins[1].seen).toBe(60)
    await lab.change('twin-a', { concurrent: null })
  })

  test("one account's 150 waiting calls delay another's by its turn", async () => {
    await lab.change('twin-c', { concurrent: 2, queueLength: 1000, queueMs: 60_000 })
    await lab.serve('o3', { 'twin-c': {} })
    const [greedy, modest] = [await lab.newKey(), await lab.newKey()]
    const waiting = async (): Promise<number> =>
      Number(/mingxi_upstream_calls\{upstream="twin-c",state="waiting"\} (\d+)/.exec(await (await fetch(`${lab.server.baseUrl}/metrics`)).text())?.[1] ?? 0)
    // The upstream holds all requests until every one has arrived, then answers them one by one, so that the outcome does not depend on
    // speed.
    const open: ServerResponse[] = []
    const c = lab.twins[2]
    c.ill = (res) => void open.push(res)
    const flood = runMany(150, 150, async (i) => (await lab.ask('o3', `Say ${i}`, { key: greedy, body: { max_completion_tokens: 200 } })).status)
    await expect.poll(waiting).toBe(148)
    const other = lab.ask('o3', 'Me too. '.repeat(100), { key: modest })
    await expect.poll(waiting).toBe(149)
    const isOther = (res: ServerResponse): boolean => Number(res.req.headers['content-length']) > 500
    const answer = (res: ServerResponse) => void res.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
    let before = 0
    for (; !open.some(isOther); before++) {
      const { seen } = c
      answer(open.shift()!)
      await expect.poll(() => c.seen).toBe(seen + 1)
    }
    expect(before).toBeLessThanOrEqual(3)
    c.ill = answer
    open.forEach(answer)
    expect((await other).status).toBe(200)
    expect(new Set(await flood)).toEqual(new Set([200]))
    expect(c.mostOpen).toBeLessThanOrEqual(2)
    c.ill = undefined
    await lab.change('twin-c', { concurrent: null })
  })
})

const WHOLE = JSON.stringify({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
})

test('a drained upstream finishes its running calls and gets no new ones', async () => {
  await lab.serve('gpt-5', { 'twin-a': { priority: 0 }, 'twin-b': { priority: 1 } })
  const [a, b] = lab.twins
  const chunk = (rest: string): string => `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",${rest}}\n\n`
  let finish: () => void = () => undefined
  a.ill = (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]'))
    const end = chunk('"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]')
    finish = () => res.end(`${end}${chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}')}data: [DONE]\n\n`)
  }
  const running = lab.ask('gpt-5', 'Tell', { body: { stream: true } })
  await expect.poll(() => a.open).toBe(1)
  await lab.change('twin-a', { state: 'draining' })
  const before = a.seen
  for (let i = 0; i < 5; i++) expect((await lab.ask('gpt-5', `Hi ${i}`)).status).toBe(200)
  expect([a.seen, a.open, b.seen]).toEqual([before, 1, 5])
  finish()
  expect((await running).text).toMatch(/"content":"lo".*data: \[DONE\]\n\n$/s)
  // If every upstream is drained, the model is reported as busy, not as unknown.
  await lab.change('twin-b', { state: 'off' })
  expect((await lab.ask('gpt-5', 'Hi')).status).toBe(503)
  for (const id of ['twin-a', 'twin-b']) await lab.change(id, { state: 'active' })
})
