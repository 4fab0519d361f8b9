import { measureLoad, warmUpRivals } from './load.ts'
import type { Rival } from './load.ts'
import type { Options } from './options.ts'
import { startOtherCheckout, startReal } from './real.ts'
import type { RealServer } from './real.ts'
import { startBareProxy, startDurableProxy, startInMemoryRelay, startMock, startPortkey, configureMockStreams } from './rivals.ts'
import { countFailedRequests, measureInTurns, findLeastCpuMs, computeMedianFigure, computeMedianRatio } from './turns.ts'
import type { Rounds } from './turns.ts'

/** Measures requests per second with one gateway process on one core: bare proxy, Mingxi with its database, its relay alone, Portkey. */
export async function benchThroughput(o: Options): Promise<void> {
  await startMock()
  let real: RealServer | undefined
  let other: RealServer | undefined
  const list: Rival[] = [await startBareProxy()]
  if (o.base === '') {
    real = await startReal({ postgres: o.postgres })
    list.push(await startDurableProxy(real.databaseUrl), ...real.rivals, await startInMemoryRelay(o.key))
    if (o.against !== '') list.push(...(other = await startOtherCheckout(o.against, { postgres: o.postgres })).rivals)
  } else list.push({ name: 'mingxi', base: o.base, key: o.key, headers: [], pid: o.pid })
  if (o.portkey && o.api === 'openai') list.push(...(await startPortkey()))
  try {
    for (const burst of [0, ...o.bursts]) {
      const sse = burst > 0
      await configureMockStreams(Math.max(1, burst))
      // Twice as many parallel streams as plain requests, because each is long.
      const connections = sse ? o.concurrency * 2 : o.concurrency
      const ask = { api: o.api, model: o.model, sse }
      await warmUpRivals(list, ask, { connections, seconds: o.warm })
      const rounds = await measureInTurns(list, o.rounds, (rival) => measureLoad(rival, ask, { connections, seconds: o.seconds }))
      print(
        sse ? `${o.api} SSE, 64 chunks, ${burst} a write of the upstream, ${connections} at once` : `${o.api} JSON, ${connections} at once`,
        list.map((rival) => rival.name),
        rounds,
      )
    }
  } finally {
    if (real) console.log(`\nmingxi: ${await real.finish()}`)
    if (other) console.log(`other: ${await other.finish()}`)
  }
}

function print(mode: string, names: readonly string[], results: readonly Rounds[]): void {
  const to = (rounds: Rounds, name: string): string => {
    const others = results[names.findIndex((one) => one.startsWith(name))]
    return others === undefined ? '-' : computeMedianRatio(rounds, others, 'rps').toFixed(2)
  }
  const bare = results[names.indexOf('bare')]
  const [mingxi, other] = ['mingxi', 'other'].map((name) => results[names.indexOf(name)])
  console.log(`\n${mode}`)
  console.log('             req/s   CPU ms/req     least    p50 ms    p99 ms   errors   x bare   x portkey  x its image   CPU / bare')
  for (const [i, name] of names.entries()) {
    const rounds = results[i]!
    console.log(
      `${name.padEnd(10)}${computeMedianFigure(rounds, 'rps').toFixed(0).padStart(8)}${computeMedianFigure(rounds, 'cpuMs').toFixed(4).padStart(13)}${findLeastCpuMs(rounds).toFixed(4).padStart(10)}` +
        `${computeMedianFigure(rounds, 'lat_p50').toFixed(2).padStart(10)}${computeMedianFigure(rounds, 'lat_p99').toFixed(2).padStart(10)}${String(countFailedRequests(rounds)).padStart(9)}` +
        `${to(rounds, 'bare').padStart(9)}${to(rounds, 'portkey').padStart(12)}${to(rounds, 'its image').padStart(13)}` +
        `${(bare === undefined ? '-' : (findLeastCpuMs(rounds) / findLeastCpuMs(bare)).toFixed(2)).padStart(13)}`,
    )
  }
  if (mingxi && other)
    console.log(
      `mingxi / other: ${computeMedianRatio(mingxi, other, 'rps').toFixed(3)} of the requests, ${computeMedianRatio(mingxi, other, 'lat_p50').toFixed(3)} of p50, CPU ${(findLeastCpuMs(mingxi) / findLeastCpuMs(other)).toFixed(3)}`,
    )
}
