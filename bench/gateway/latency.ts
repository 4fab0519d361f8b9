import { measure, middle, warmUp } from './load.ts'
import type { Measured } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startBare, startDurable, startMock, streamsOf } from './rivals.ts'

const RATE = 500
const CONNECTIONS = 64

/**
 * What the gateway adds at 500 requests a second: streams to their first byte, whole JSON answers to their end, against the mock
 * asked directly. Goal: streams p50 under 0.4 ms and p99 under 2 ms, JSON p50 under 0.8 ms and p99 under 3 ms.
 */
export async function latency(o: Options): Promise<void> {
  const direct = await startMock()
  const bare = await startBare()
  const real = await startReal({ postgres: o.postgres })
  try {
    const durable = await startDurable(real.databaseUrl)
    for (const sse of [false, true]) {
      await streamsOf(4)
      const list = [direct, bare, durable, ...real.rivals]
      await warmUp(list.slice(1), { api: o.api, model: o.model, sse }, o.concurrency, o.warm)
      const rounds: Measured[][] = list.map(() => [])
      for (let round = 0; round < o.rounds; round++)
        for (const [i, rival] of list.entries())
          rounds[i]!.push(await measure(rival, { api: o.api, model: o.model, sse }, { connections: CONNECTIONS, seconds: o.seconds, rate: RATE }))
      console.log(`\n${sse ? 'streams, to the first byte' : 'JSON, whole'}, ${RATE} a second`)
      console.log('            p50 ms    p99 ms   added p50   added p99   errors')
      const [p50, p99] = (['p50', 'p99'] as const).map((which) =>
        rounds.map((all) => middle(all.map((one) => (sse ? one[`ttfb_${which}`] : one[`lat_${which}`])))),
      )
      for (const [i, rival] of list.entries())
        console.log(
          `${rival.name.padEnd(10)}${p50![i]!.toFixed(3).padStart(8)}${p99![i]!.toFixed(3).padStart(10)}${(p50![i]! - p50![0]!).toFixed(3).padStart(12)}${(p99![i]! - p99![0]!).toFixed(3).padStart(12)}${String(rounds[i]!.reduce((sum, one) => sum + one.err, 0)).padStart(9)}`,
        )
    }
  } finally {
    console.log(`\nmingxi: ${await real.finish()}`)
  }
}
