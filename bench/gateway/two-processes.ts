import { GATEWAY_CORE, measureLoad, OTHER_CORE, stopPrograms, warmUpRivals } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock, configureMockStreams } from './rivals.ts'

/**
 * Measures the gain of a second process on a second core: first everything (gateway, database, mock, load) on one core, then all of it with two
 * gateway processes on two cores. Goal: 1.7 times the throughput.
 */
export async function benchTwoProcesses(o: Options): Promise<void> {
  for (const sse of [false, true]) {
    const totals: number[] = []
    for (const cores of [[GATEWAY_CORE], [GATEWAY_CORE, OTHER_CORE]]) {
      const all = cores.join(',')
      await startMock(all)
      await configureMockStreams(4)
      const real = await startReal({ postgres: o.postgres, cores, databaseCore: all })
      try {
        await warmUpRivals(real.rivals, { api: o.api, model: o.model, sse }, { connections: o.concurrency, seconds: o.warm })
        const load = { connections: o.concurrency, seconds: o.seconds * o.rounds, core: all }
        const runs = await Promise.all(real.rivals.map((rival) => measureLoad(rival, { api: o.api, model: o.model, sse }, load)))
        totals.push(runs.reduce((sum, run) => sum + run.rps, 0))
        console.log(
          `${sse ? 'streams' : 'JSON'}, ${cores.length} on ${cores.length}: ${runs.map((run) => `${run.rps.toFixed(0)}/s, CPU ${run.cpuMs.toFixed(4)} ms`).join(' + ')}`,
        )
      } finally {
        await stopPrograms()
        console.log(`mingxi: ${await real.finish()}`)
      }
    }
    console.log(`${sse ? 'streams' : 'JSON'}, two against one: ${(totals[1]! / totals[0]!).toFixed(2)}`)
  }
}
