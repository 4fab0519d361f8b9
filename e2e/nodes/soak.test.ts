import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { AT_REST, settledBooks, walletAtRest } from './books.ts'
import { startLoad } from './load.ts'
import { aPayer, startStage } from './stage.ts'
import type { Stage } from './stage.ts'

/** Seconds of mixed load with 5 % faults; 3600 with a release, nothing with a change. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 0)
const WORKERS = Number(process.env['SOAK_WORKERS'] ?? 16)

let stage: Stage
beforeAll(async () => {
  if (SECONDS) stage = await startStage(1)
})
afterAll(() => stage?.stop())

interface Sample {
  readonly minute: number
  /** MB. The heap's least of the minute: what its collections left. */
  readonly resident: number
  readonly heap: number
  readonly handles: number
}

test.skipIf(!SECONDS)('memory and open handles do not grow', { timeout: (SECONDS + 300) * 1000 }, async () => {
  const { secret } = await aPayer(stage.db, 100_000n * NANO_PER_USD)
  const node = stage.nodes[0]!
  const load = startLoad({ url: node.baseUrl, secret: () => secret, workers: WORKERS, faults: 5, leavers: 5, keep: false })
  const until = Date.now() + SECONDS * 1000
  const step = Math.min(60_000, (SECONDS * 1000) / 20)
  const samples: Sample[] = []
  while (Date.now() < until) {
    const end = Date.now() + step
    let heap = Infinity
    let last = await scrape(node.baseUrl)
    while (Date.now() < end) {
      await sleep(Math.min(1000, step / 5))
      last = await scrape(node.baseUrl)
      heap = Math.min(heap, last.heap)
    }
    samples.push({ minute: (SECONDS * 1000 - (until - Date.now())) / 60_000, resident: last.resident, heap, handles: last.handles })
    const { minute, resident, handles } = samples.at(-1)!
    console.log(`${minute.toFixed(1)} min: resident ${resident.toFixed(1)} MB, heap ${heap.toFixed(1)} MB, handles ${handles}, requests ${load.count()}`)
  }
  await load.stop()
  // The first quarter fills caches and lets V8 settle.
  const late = samples.slice(Math.floor(samples.length / 4))
  const growth = { resident: slopePerHour(late, (s) => s.resident), heap: slopePerHour(late, (s) => s.heap), handles: slopePerHour(late, (s) => s.handles) }
  console.log(
    `an hour: resident ${growth.resident.toFixed(2)} %, heap ${growth.heap.toFixed(2)} %, handles ${growth.handles.toFixed(2)} %; ${load.count()} requests`,
  )
  if (SECONDS >= 1800) expect(Math.max(growth.resident, growth.heap)).toBeLessThan(1)
  await node.kill('SIGTERM')
  await settledBooks(stage)
  expect(await walletAtRest(stage.db)).toEqual(AT_REST)
  expect((await verifyLedger(stage.db)).problems).toEqual([])
})

async function scrape(base: string): Promise<Omit<Sample, 'minute'>> {
  const text = await (await fetch(`${base}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const MB = 2 ** 20
  return {
    resident: value('process_resident_memory_bytes') / MB,
    heap: value('nodejs_heap_size_used_bytes') / MB,
    handles: value('nodejs_active_handles_total'),
  }
}

/** Percent of the mean, by least squares. */
function slopePerHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map((s) => s.minute)), mean(samples.map(of))]
  const up = samples.reduce((sum, s) => sum + (s.minute - x) * (of(s) - y), 0)
  const across = samples.reduce((sum, s) => sum + (s.minute - x) ** 2, 0)
  return ((up / across) * 60 * 100) / y
}
