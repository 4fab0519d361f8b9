import { measure, warmUp } from './load.ts'
import type { Measured, Rival } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import type { RealServer } from './real.ts'
import { startBare, startDurable, startInMemory, startMock, startPortkey, streamsOf } from './rivals.ts'

interface Result extends Measured {
  leastCpuMs: number
}

/** Requests a second, one gateway process on one core: bare proxy, Mingxi with its database, its relay alone, Portkey. */
export async function throughput(o: Options): Promise<void> {
  await startMock()
  let real: RealServer | undefined
  const list: Rival[] = [await startBare()]
  if (o.base === '') {
    real = await startReal({ postgres: o.postgres })
    list.push(await startDurable(real.databaseUrl), ...real.rivals, await startInMemory(o.key))
  } else list.push({ name: 'mingxi', base: o.base, key: o.key, headers: [], pid: o.pid })
  if (o.portkey && o.api === 'openai') list.push(...(await startPortkey()))
  try {
    for (const burst of [0, ...o.bursts]) {
      const sse = burst > 0
      await streamsOf(Math.max(1, burst))
      // Twice as many streams at once as plain requests: each is long.
      const connections = sse ? o.concurrency * 2 : o.concurrency
      await warmUp(list, { api: o.api, model: o.model, sse }, connections, o.warm)
      const rounds: Measured[][] = list.map(() => [])
      for (let round = 0; round < o.rounds; round++)
        for (const [i, rival] of list.entries()) rounds[i]!.push(await measure(rival, { api: o.api, model: o.model, sse }, { connections, seconds: o.seconds }))
      print(
        sse ? `${o.api} SSE, 64 chunks, ${burst} a write of the upstream, ${connections} at once` : `${o.api} JSON, ${connections} at once`,
        list.map((rival) => rival.name),
        rounds.map(median),
      )
    }
  } finally {
    if (real) console.log(`\nmingxi: ${await real.finish()}`)
  }
}

function median(results: readonly Measured[]): Result {
  const sorted = results.toSorted((a, b) => a.rps - b.rps)
  // On a machine with other work the least CPU of all rounds is the steadiest figure.
  return { ...sorted[Math.floor(sorted.length / 2)]!, leastCpuMs: Math.min(...results.map((one) => one.cpuMs)) }
}

function print(mode: string, names: readonly string[], results: readonly Result[]): void {
  const at = (name: string): Result | undefined => results[names.findIndex((one) => one.startsWith(name))]
  const ratio = (a: number | undefined, b: number | undefined): string => (a === undefined || b === undefined ? '-' : (a / b).toFixed(2))
  console.log(`\n${mode}`)
  console.log('             req/s   CPU ms/req     least    p50 ms    p99 ms   errors   x bare   x portkey  x its image   CPU / bare')
  names.forEach((name, i) => {
    const r = results[i]!
    console.log(
      `${name.padEnd(10)}${r.rps.toFixed(0).padStart(8)}${r.cpuMs.toFixed(4).padStart(13)}${r.leastCpuMs.toFixed(4).padStart(10)}${r.lat_p50.toFixed(2).padStart(10)}${r.lat_p99.toFixed(2).padStart(10)}${String(r.err).padStart(9)}${ratio(r.rps, at('bare')?.rps).padStart(9)}${ratio(r.rps, at('portkey')?.rps).padStart(12)}${ratio(r.rps, at('its image')?.rps).padStart(13)}${ratio(r.leastCpuMs, at('bare')?.leastCpuMs).padStart(13)}`,
    )
  })
}
