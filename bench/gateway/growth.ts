import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/db.ts'
import { measure, warmUp } from './load.ts'
import type { Load, Measured } from './load.ts'
import { manyKeys } from './many-keys.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock } from './rivals.ts'

/** Keys that take part in the traffic; a load of a second has no more. */
const BUSY = 10_000

/**
 * CPU of a request as keys grow (10, 10,000, 1,000,000; up to 10,000 of them busy, one account), and one account taking all
 * traffic against many. Goal: within 10 %, and one account at least 0.7 of many.
 */
export async function growth(o: Options): Promise<void> {
  await startMock()
  const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'))
  const real = await startReal({ postgres: o.postgres })
  const rival = real.rivals[0]!
  const ask = { api: o.api, model: o.model, sse: false }
  const owner = connect(real.databaseUrl, { max: 1, asOwner: true })
  /** What a bulk of new rows leaves to do in the database is done before anything is measured. */
  const tidy = async (): Promise<void> => {
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
  }
  const under = async (keys: readonly string[]): Promise<Measured> => {
    const file = join(folder, 'keys')
    writeFileSync(file, keys.map((key) => `${key}\n`).join(''))
    const load: Load = { connections: o.concurrency, seconds: o.seconds, warmup: 4, keys: file }
    const rounds: Measured[] = []
    for (let round = 0; round < o.rounds; round++) rounds.push(await measure({ ...rival, key: keys[0]! }, ask, load))
    return rounds.toSorted((a, b) => a.cpuMs - b.cpuMs)[0]!
  }
  try {
    console.log('\nkeys in the database   accounts   busy keys    req/s   CPU ms/req')
    const say = (keys: number, accounts: number, busy: number, r: Measured) =>
      console.log(
        `${String(keys).padStart(21)}${String(accounts).padStart(11)}${String(busy).padStart(12)}${r.rps.toFixed(0).padStart(9)}${r.cpuMs.toFixed(4).padStart(13)}`,
      )
    await warmUp([rival], ask, o.concurrency, o.warm)
    let had = 0
    for (const keys of [10, 10_000, o.keys]) {
      const made = await manyKeys(real.db, keys - had, 1)
      had = keys
      await tidy()
      const busy = made.slice(0, BUSY)
      say(keys, 1, busy.length, await under(busy))
    }
    const [ofOne, ofMany] = [await manyKeys(real.db, 1000, 1), await manyKeys(real.db, 1000, 1000)]
    await tidy()
    const one = await under(ofOne)
    const many = await under(ofMany)
    say(had + 2000, 1, 1000, one)
    say(had + 2000, 1000, 1000, many)
    console.log(`one account against a thousand: ${(one.rps / many.rps).toFixed(2)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await owner.close()
    console.log(`mingxi: ${await real.finish()}`)
  }
}
