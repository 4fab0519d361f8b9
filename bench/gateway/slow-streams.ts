import { GATEWAY_CORE, measureLoad, OTHER_CORE } from './load.ts'
import type { LoadRequest, LoadProfile, MeasuredRun } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock, configureMockStreams } from './rivals.ts'
import { countFailedRequests, computeMedian, computeMedianFigure, computeMedianRatio } from './turns.ts'
import type { Rounds } from './turns.ts'

const PACE_MS = 20
const CHUNKS = 64
/** Each round takes half a minute. */
const MAX_ROUNDS = 3

/**
 * Measures streams with 20 ms between chunks: 1,000 in parallel through one process, 2,000 through two, and 2,000 through one. Goal: p99 of
 * the complete stream within 1.1 of direct, none broken, under 250 MB per process.
 */
export async function benchSlowStreams(o: Options): Promise<void> {
  const direct = await startMock()
  // Two processes may use both cores: if one were bound to the core of load and mock, the result would depend on the remaining capacity
  // there.
  const both = `${GATEWAY_CORE},${OTHER_CORE}`
  for (const [atOnce, ...cores] of [
    [1000, GATEWAY_CORE],
    [2000, both, both],
    [2000, GATEWAY_CORE],
  ] as const) {
    const real = await startReal({ postgres: o.postgres, cores })
    try {
      await configureMockStreams(1, PACE_MS)
      const ask: LoadRequest = { api: o.api, model: o.model, sse: true }
      const load: LoadProfile = { connections: atOnce, seconds: Math.max(10, o.seconds), warmup: 3, ramp: 4, expect: CHUNKS }
      const straight: MeasuredRun[] = []
      const through = real.rivals.map((): MeasuredRun[] => [])
      for (let round = 0; round < Math.min(MAX_ROUNDS, o.rounds); round++) {
        straight.push(await measureLoad(direct, ask, load))
        const all = await Promise.all(real.rivals.map((rival) => measureLoad(rival, ask, { ...load, connections: atOnce / cores.length })))
        for (const [i, one] of all.entries()) through[i]!.push(one)
      }
      console.log(`\n${atOnce} streams of ${CHUNKS} chunks, ${PACE_MS} ms apart, ${cores.length} process${cores.length > 1 ? 'es' : ''}`)
      console.log('            streams/s   whole p50   whole p99   x direct   chunk late p99   broken   MB   CPU cores')
      row('direct', straight, straight)
      real.rivals.forEach((rival, i) => row(rival.name, through[i]!, straight))
    } finally {
      await configureMockStreams(1)
      console.log(`mingxi: ${await real.finish()}`)
    }
  }
}

function row(name: string, rounds: Rounds, direct: Rounds): void {
  const late = computeMedian(rounds.map((one) => one.chunk_delay_p99 ?? 0))
  const cores = computeMedian(rounds.map((one) => (one.cpuMs * one.rps) / 1000))
  console.log(
    `${name.padEnd(12)}${computeMedianFigure(rounds, 'rps').toFixed(1).padStart(9)}${computeMedianFigure(rounds, 'lat_p50').toFixed(0).padStart(12)}${computeMedianFigure(rounds, 'lat_p99').toFixed(0).padStart(12)}` +
      `${computeMedianRatio(rounds, direct, 'lat_p99').toFixed(2).padStart(11)}${late.toFixed(2).padStart(17)}${String(countFailedRequests(rounds)).padStart(9)}` +
      `${Math.max(...rounds.map((one) => one.peak))
        .toFixed(0)
        .padStart(5)}${cores.toFixed(2).padStart(12)}`,
  )
}
