import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { NANO_PER_USD, sumNano } from '#platform/shared/money.ts'
import { openRawClient } from '../sdk/sockets-lab.ts'
import { WALLET_AT_REST, readSandboxBook, readSettledBooks, readWalletFigures } from './books.ts'
import type { SandboxBookEntry } from './books.ts'
import { INSPECT_OPTION, openInspector } from './inspector.ts'
import type { MemorySample } from './inspector.ts'
import { startConstantLoad } from './load.ts'
import { aKeyPayer, readServerPort, startNodesStage } from './stage.ts'
import type { NodesStage } from './stage.ts'

/** Seconds of mixed load with 5 % faults: 3600 for a release, 0 for a change. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 0)
const WORKERS = Number(process.env['SOAK_WORKERS'] ?? 16)
/** Requests per second. Growth depends on the number of requests, not on their rate: 12 leave a two-core machine usable for others. */
const RATE = Number(process.env['SOAK_RATE'] ?? 12)
const WARM_TIMES = 4
/** Interval at which one of the three accounts is replaced by a new one. */
const NEW_ACCOUNT_MS = 5000
/** Limits that are counted but never reached. */
const FAR = { requestsMinute: 100_000, tokensMinute: 1_000_000_000n, callsAtOnce: 1000, dayBudget: 1000n * NANO_PER_USD }

let stage: NodesStage
beforeAll(async () => {
  // New keys evict old ones from the first minutes on, so that the bounded cache does not look like growth.
  if (SECONDS) stage = await startNodesStage(1, { NODE_OPTIONS: INSPECT_OPTION, GATEWAY_KEYS_IN_MEMORY: '100' })
})
afterAll(() => stage?.stop())

interface Sample extends MemorySample {
  readonly minute: number
}

test.skipIf(!SECONDS)('memory and open handles do not grow, and the books agree', async () => {
  const node = stage.nodes[0]!
  const rich = 1000n * NANO_PER_USD
  const payer = (n: number) => aKeyPayer(stage.db, rich, { onDisconnect: n % 3 === 1 ? 'drain' : 'abort', limits: n % 3 === 2 ? FAR : {} })
  const payers = await Promise.all([0, 1, 2].map(payer))
  let turn = 0
  const mixed = (rate: number) =>
    startConstantLoad({
      url: node.baseUrl,
      secret: () => payers[turn++ % 3]!.secret,
      workers: WORKERS,
      rate,
      translated: 25,
      faults: 5,
      leavers: 5,
      keep: false,
    })
  const load = mixed(RATE)
  const until = Date.now() + SECONDS * 1000
  const sessions: boolean[] = []
  const book = new Map<string, SandboxBookEntry>()
  const beside = [
    repeatEvery(NEW_ACCOUNT_MS, until, async (n) => {
      payers[n % 3] = await payer(n)
    }),
    // The vendor remembers 50,000 requests, fewer than the run makes.
    repeatEvery(Math.min(60_000, SECONDS * 50), until, async () => {
      await readSandboxBook(stage.outside.baseUrl, book, Date.now() - 180_000)
    }),
    repeatEvery(2000, until, async () => {
      sessions.push(await runSocketSession(readServerPort(node), payers[0]!.secret))
    }),
  ]
  const step = Math.min(60_000, (SECONDS * 1000) / 20)
  const samples: Sample[] = []
  // The first quarter fills caches and lets V8 compile: it is not measured, and its allocations are not recorded. At the pace of the rest,
  // rarely executed code would still be compiled for hours (0.6 MB in one), and look like a leak.
  const warming = mixed(RATE * WARM_TIMES)
  await sleep((SECONDS * 1000) / 4)
  await warming.stop()
  const inspector = await openInspector(node)
  while (Date.now() < until) {
    await sleep(step)
    const look = await inspector.look()
    samples.push({ ...look, minute: (SECONDS * 1000 - (until - Date.now())) / 60_000 })
    const { minute, ...figures } = samples.at(-1)!
    const words = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
    console.log(`${minute.toFixed(1)} min: ${words.join(', ')}, requests ${warming.count() + load.count()}`)
  }
  console.log(`alive and allocated since the first quarter:\n${(await inspector.grown()).join('\n')}`)
  inspector.close()
  await Promise.all(beside)
  await load.stop()
  await node.kill('SIGTERM')

  const books = await readSettledBooks(stage, 120_000, book)
  const rows = [...books.rows.values()]
  const exact = rows.filter((row) => row.provenance !== 'estimated' && row.amount > 0n)
  const estimated = rows.filter((row) => row.provenance === 'estimated')
  console.log(
    `${sessions.filter(Boolean).length} of ${sessions.length} sessions; ${warming.count() + load.count()} requests, ${rows.length} rows: ${exact.length} at the vendor's figure, ${estimated.length} estimated`,
  )
  expect(sessions.filter(Boolean).length / sessions.length).toBeGreaterThan(0.9)
  expect(exact.filter((row) => books.vendor.get(row.callId) !== row.amount)).toEqual([])
  expect(sumNano(exact.map((row) => row.amount))).toBe(sumNano(exact.map((row) => books.vendor.get(row.callId)!)))
  const charged = new Set(rows.filter((row) => row.amount > 0n).map((row) => row.callId))
  /** Billed by the vendor but charged to no customer: only calls that ended at the vendor's side before any output, each with its row. */
  const borne = [...books.vendor.keys()].filter((id) => !charged.has(id)).map((id) => ({ id, billed: books.vendor.get(id), row: books.rows.get(id) }))
  console.log(`${borne.length} answers that ended without output are at our cost`)
  expect(borne.filter(({ row }) => row === undefined || !FAILED.has(row.outcome))).toEqual([])
  expect(await readWalletFigures(stage.db)).toEqual(WALLET_AT_REST)
  expect((await verifyLedger(stage.db)).problems).toEqual([])

  const growth = (['resident', 'heap', 'code', 'external', 'descriptors', 'handles'] as const).map(
    (what) => [what, computeSlope(samples, (s) => s[what])] as const,
  )
  console.log(`an hour: ${growth.map(([what, percent]) => `${what} ${percent.toFixed(2)} %`).join(', ')}`)
  if (SECONDS >= 1800) {
    const of = Object.fromEntries(growth)
    expect(of['heap']).toBeLessThan(1)
    expect(of['resident']).toBeLessThan(1)
    // The number of sockets varies with the load; a leak only increases it.
    const half = samples.length >> 1
    expect(findMostDescriptors(samples.slice(half))).toBeLessThanOrEqual(findMostDescriptors(samples.slice(0, half)) + WORKERS)
  }
})

const FAILED = new Set(['upstream_cut', 'upstream_failed'])
const findMostDescriptors = (samples: readonly Sample[]) => Math.max(...samples.map((s) => s.descriptors))

/** Makes a Responses session over a socket with two turns; false if it broke, as any call may while faults open breakers. */
async function runSocketSession(port: number, secret: string): Promise<boolean> {
  const client = await openRawClient(port, '/v1/responses', { headers: { authorization: `Bearer ${secret}` } }).catch(() => undefined)
  if (!client) return false
  const ends = () => client.frames.filter((frame) => /^(response\.(completed|failed|incomplete)|error)$/.test(String(frame['type'])))
  for (let turn = 1; turn <= 2; turn++) {
    client.say({ type: 'response.create', model: 'gpt-6-luna', input: `${Math.random()} [[sandbox:tokens=60]]`, max_output_tokens: 100, store: false })
    for (let waited = 0; ends().length < turn && !client.closed && waited < 60_000; waited += 50) await sleep(50)
  }
  client.ws.close()
  return ends().filter((frame) => frame['type'] === 'response.completed').length === 2
}

/** Runs `work` at an interval until the time is over; a failed run fails the test. */
async function repeatEvery(ms: number, until: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; Date.now() + ms < until; n++) {
    await work(n)
    await sleep(ms)
  }
}

/** Slope by least squares, in percent of the mean. */
function computeSlope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length
  const [x, y] = [mean(samples.map((s) => s.minute)), mean(samples.map(of))]
  const up = samples.reduce((total, s) => total + (s.minute - x) * (of(s) - y), 0)
  const across = samples.reduce((total, s) => total + (s.minute - x) ** 2, 0)
  return ((up / across) * 60 * 100) / y
}
