import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { createId } from '#platform/shared/ids.ts'

// kill -9 of the gateway under 100 open streams (money.md M4): the platform, its sweeper and the sandbox vendor run in a separate process
// (ROUNDS=10 for a release), as a vendor does.
const ROUNDS = Number(process.env['ROUNDS'] ?? 2)
const STREAMS = 100
const MODELS = ['gpt-6-luna', 'claude-haiku-5-5', 'gemini-3.8-flash'] as const

let platform: TestServer
let gateway: TestServer
let db: Db
let secret: string

beforeAll(async () => {
  platform = await startTestServer({
    roles: 'worker,sandbox',
    env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', LOG_LEVEL: 'info', GATEWAY_NODE_DEAD_MS: '4000', GATEWAY_SILENT_MS: '8000' },
  })
  gateway = await startTestServer({
    roles: 'gateway',
    databaseUrl: platform.databaseUrl,
    env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', SANDBOX_UPSTREAM_URL: `${platform.baseUrl}/sandbox/upstream`, GATEWAY_NODE_DEAD_MS: '4000' },
  })
  db = connect(platform.databaseUrl, { max: 4 })
  const userId = await aFundedUser(db, { userId: createId('user') })
  secret = (await aKey(db, userId)).secret
})
afterAll(async () => {
  if (process.env['SHOW']) console.log(platform?.output().slice(-6000), gateway?.output().slice(-3000))
  await Promise.all([gateway?.stop(), platform?.stop()])
  await db?.close()
})

/** One stream in the dialect of its model; `opened` is called at its first byte, the promise resolves when it ends or breaks. */
async function openStream(n: number, opened: () => void): Promise<'done' | 'broken'> {
  const model = MODELS[n % 3]!
  const prompt = `流 ${n} ${Math.random()} [[sandbox:tokens=120]] [[sandbox:chunk=${10 + (n % 5) * 10}]]`
  const [path, body] = model.startsWith('gpt')
    ? (['/v1/chat/completions', { model, stream: true, max_tokens: 200, messages: [{ role: 'user', content: prompt }] }] as const)
    : model.startsWith('claude')
      ? (['/v1/messages', { model, stream: true, max_tokens: 200, messages: [{ role: 'user', content: prompt }] }] as const)
      : ([
          `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
          { contents: [{ role: 'user', parts: [{ text: prompt }] }], generationConfig: { maxOutputTokens: 200 } },
        ] as const)
  try {
    const ask = () =>
      fetch(`${gateway.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(body),
      })
    // a node whose heartbeat is late on a busy machine replies 503 and charges nothing: its clients retry
    const reply = await waitForValue(async () => {
      const answer = await ask()
      if (answer.status !== 503) return answer
      await answer.text()
      return undefined
    }, 'a stream')
    if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
    for await (const _ of reply.body!) opened()
    return 'done'
  } catch (error) {
    if (error instanceof Error && /^\d{3} /.test(error.message)) throw error
    return 'broken'
  }
}

interface BookEntry {
  callId: string
  dialect: string
  status: string
  model: string
  billed: Record<string, number>
}

async function fetchBookEntries(): Promise<BookEntry[]> {
  const reply = await fetch(`${platform.baseUrl}/sandbox/upstream/book?since=0&limit=50000`, { headers: { authorization: 'Bearer sandbox' } })
  return ((await reply.json()) as { entries: BookEntry[] }).entries
}

test('M4: kill -9 under a hundred open streams: no stuck hold, none doubled, none lost, the books agree', async () => {
  let finished = 0
  for (let round = 0; round < ROUNDS; round++) {
    let open = 0
    const streams = Array.from({ length: STREAMS }, (_, n) => {
      let first = true
      return openStream(round * STREAMS + n, () => {
        if (first) open++
        first = false
      })
    })
    // a refused stream ends the wait and fails the test
    await Promise.race([Promise.all(streams), waitForValue(() => open === STREAMS || undefined, 'all streams to be open', 5)])
    await new Promise((done) => setTimeout(done, round * 60))
    await gateway.kill('SIGKILL')
    finished += (await Promise.all(streams)).filter((end) => end === 'done').length
    await gateway.restart()
  }
  await expect
    .poll(
      async () =>
        (
          await db.query(`select
      (select count(*)::int from gateway_calls) as open,
      (select count(*)::int from gateway_leases l where not exists (select from gateway_nodes n where n.node = l.node and n.beat_at > now() - interval '3 seconds')) as dead_leases`)
        )[0],
      { interval: 500 },
    )
    .toEqual({ open: 0, deadLeases: 0 })
  await gateway.stop()

  const usage = await db.query<{ callId: string; amount: bigint; inputTokens: bigint; outputTokens: bigint }>(
    'select call_id, amount, input_tokens, output_tokens from gateway_usage',
  )
  const entries = await fetchBookEntries()
  expect(entries.every((entry) => entry.status !== 'running')).toBe(true)
  const billed = new Map(entries.filter((entry) => (entry.billed['input'] ?? 0) + (entry.billed['output'] ?? 0) > 0).map((entry) => [entry.callId, entry]))
  const charged = new Map(usage.filter((row) => row.amount > 0n).map((row) => [row.callId, row]))
  console.log(`calls ${entries.length}, finished at the client ${finished}, billed by the vendor ${billed.size}, charged ${charged.size}`)
  expect(entries.length).toBeGreaterThan(ROUNDS * STREAMS * 0.9)
  expect(new Set(usage.map((row) => row.callId)).size).toBe(usage.length)
  expect([...charged.keys()].filter((call) => !billed.has(call))).toEqual([])
  expect([...billed.keys()].filter((call) => !charged.has(call))).toEqual([])
  for (const [call, entry] of billed) {
    const row = charged.get(call)!
    expect([call, Number(row.inputTokens), Number(row.outputTokens)]).toEqual([call, entry.billed['input'], entry.billed['output']])
  }
  const [{ spent }] = (await db.query<{ spent: bigint }>(`select sum(spent)::bigint as spent from wallet_accounts where kind = 'customer'`)) as [
    { spent: bigint },
  ]
  expect(spent).toBe(usage.map((row) => row.amount).reduce((sum, amount) => sum + amount, 0n))
  expect((await db.query(`select count(*)::int as n from wallet_holds where status = 'pending'`))[0]).toEqual({ n: 0 })
  expect((await verifyLedger(db)).problems).toEqual([])
})
