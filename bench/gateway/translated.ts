import { measureLoad, warmUpRivals } from './load.ts'
import type { LoadRequest } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock, configureMockStreams } from './rivals.ts'
import { countFailedRequests, measureInTurns, findLeastCpuMs, computeMedianFigure, computeMedianRatio } from './turns.ts'
import type { Rounds } from './turns.ts'

const CLAUDE = 'claude-sonnet-4-6'

/**
 * Measures the cost of translation: the same request to the same model in its own dialect and in another one, through the same server,
 * alternately.
 */
export async function benchTranslation(o: Options): Promise<void> {
  await startMock()
  await configureMockStreams(4)
  const real = await startReal({ postgres: o.postgres })
  const rival = real.rivals[0]!
  try {
    for (const sse of [false, true]) {
      const ways: readonly LoadRequest[] = [
        { api: 'anthropic', model: CLAUDE, sse },
        { api: 'openai', model: CLAUDE, sse },
      ]
      const connections = sse ? o.concurrency * 2 : o.concurrency
      for (const ask of ways) await warmUpRivals([rival], ask, { connections, seconds: o.warm })
      const results = await measureInTurns(ways, o.rounds, (ask) => measureLoad(rival, ask, { connections, seconds: o.seconds }))
      print(sse ? `SSE, 64 chunks, 4 a write, ${connections} at once` : `JSON, ${connections} at once`, results)
    }
  } finally {
    console.log(`\nmingxi: ${await real.finish()}`)
  }
}

function print(title: string, results: readonly Rounds[]): void {
  console.log(`\n${title}\n               req/s   CPU ms/req    p50 ms    p99 ms   errors   x native`)
  for (const [i, name] of ['native', 'translated'].entries()) {
    const rounds = results[i]!
    console.log(
      `${name.padEnd(12)}${computeMedianFigure(rounds, 'rps').toFixed(0).padStart(8)}${findLeastCpuMs(rounds).toFixed(4).padStart(13)}${computeMedianFigure(rounds, 'lat_p50').toFixed(2).padStart(10)}` +
        `${computeMedianFigure(rounds, 'lat_p99').toFixed(2).padStart(10)}${String(countFailedRequests(rounds)).padStart(9)}${computeMedianRatio(rounds, results[0]!, 'rps').toFixed(2).padStart(11)}`,
    )
  }
}
