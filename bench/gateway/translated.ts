import { measure, middle, warmUp } from './load.ts'
import type { Ask, Measured } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock, streamsOf } from './rivals.ts'

const CLAUDE = 'claude-sonnet-4-6'

/** What translation costs: the same question to the same model in its own dialect and in another one, through the same server, in turns. */
export async function translated(o: Options): Promise<void> {
  await startMock()
  await streamsOf(4)
  const real = await startReal({ postgres: o.postgres })
  const rival = real.rivals[0]!
  try {
    for (const sse of [false, true]) {
      const ways: Readonly<Record<string, Ask>> = {
        native: { api: 'anthropic', model: CLAUDE, sse },
        translated: { api: 'openai', model: CLAUDE, sse },
      }
      const connections = sse ? o.concurrency * 2 : o.concurrency
      for (const ask of Object.values(ways)) await warmUp([rival], ask, connections, o.warm)
      const rounds: Record<string, Measured[]> = { native: [], translated: [] }
      for (let round = 0; round < o.rounds; round++)
        for (const [name, ask] of Object.entries(ways)) rounds[name]!.push(await measure(rival, ask, { connections, seconds: o.seconds }))
      print(sse ? `SSE, 64 chunks, 4 a write, ${connections} at once` : `JSON, ${connections} at once`, rounds)
    }
  } finally {
    console.log(`\nmingxi: ${await real.finish()}`)
  }
}

function print(title: string, rounds: Readonly<Record<string, readonly Measured[]>>): void {
  console.log(`\n${title}\n               req/s   CPU ms/req    p50 ms    p99 ms   errors   x native`)
  const rate = (name: string): number => middle(rounds[name]!.map((one) => one.rps))
  for (const [name, all] of Object.entries(rounds)) {
    const cpu = Math.min(...all.map((one) => one.cpuMs))
    const [p50, p99] = [middle(all.map((one) => one.lat_p50)), middle(all.map((one) => one.lat_p99))]
    const errors = all.reduce((sum, one) => sum + one.err, 0)
    console.log(
      `${name.padEnd(12)}${rate(name).toFixed(0).padStart(8)}${cpu.toFixed(4).padStart(13)}${p50.toFixed(2).padStart(10)}${p99.toFixed(2).padStart(10)}${String(errors).padStart(9)}${(rate(name) / rate('native')).toFixed(2).padStart(11)}`,
    )
  }
}
