import { measureLoad, warmUpRivals } from './load.ts'
import type { Options } from './options.ts'
import { startOtherCheckout, startReal } from './real.ts'
import { startBareProxy, startDurableProxy, startMock, configureMockStreams } from './rivals.ts'
import { computeMedianIncrease, countFailedRequests, measureInTurns, computeMedianFigure } from './turns.ts'

const RATE = 500
const CONNECTIONS = 64

/**
 * Measures the gateway's added latency at 500 requests a second, against the mock called directly: streams to their first byte, whole JSON responses
 * to their end. Goal: streams p50 under 0.4 ms and p99 under 2 ms, JSON p50 under 0.8 ms and p99 under 3 ms.
 */
export async function benchLatency(o: Options): Promise<void> {
  const direct = await startMock(undefined, o.vendor)
  const bare = await startBareProxy()
  const real = await startReal({ postgres: o.postgres })
  const other = o.against === '' ? undefined : await startOtherCheckout(o.against, { postgres: o.postgres })
  try {
    const durable = await startDurableProxy(real.databaseUrl)
    for (const sse of [false, true]) {
      await configureMockStreams(4)
      const list = [direct, bare, durable, ...real.rivals, ...(other?.rivals ?? [])]
      const ask = { api: o.api, model: o.model, sse }
      await warmUpRivals(list.slice(1), ask, { connections: o.concurrency, seconds: o.warm })
      const results = await measureInTurns(list, o.rounds, (rival) => measureLoad(rival, ask, { connections: CONNECTIONS, seconds: o.seconds, rate: RATE }))
      const [p50, p99] = sse ? (['ttfb_p50', 'ttfb_p99'] as const) : (['lat_p50', 'lat_p99'] as const)
      console.log(`\n${sse ? 'streams, to the first byte' : 'JSON, whole'}, ${RATE} a second${o.vendor === 0 ? '' : `, a vendor that needs ${o.vendor} ms`}`)
      console.log('            p50 ms    p99 ms   added p50   added p99   errors')
      for (const [i, rival] of list.entries()) {
        const rounds = results[i]!
        const added = [p50, p99].map((figure) => computeMedianIncrease(results[0]!, rounds, figure).toFixed(3).padStart(12)).join('')
        console.log(
          `${rival.name.padEnd(10)}${computeMedianFigure(rounds, p50).toFixed(3).padStart(8)}${computeMedianFigure(rounds, p99).toFixed(3).padStart(10)}${added}${String(countFailedRequests(rounds)).padStart(9)}`,
        )
      }
    }
  } finally {
    console.log(`\nmingxi: ${await real.finish()}`)
    if (other) console.log(`other: ${await other.finish()}`)
  }
}
