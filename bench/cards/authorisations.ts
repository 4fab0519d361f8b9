/**
 * How fast an issuer's question is answered, on a real PostgreSQL with fsync on: `node bench/cards/authorisations.ts [per second] [seconds]`.
 * Prints p50, p99 and the worst, and the same for a bare query at the same rate, so that the ratio says what the ledger adds.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { newId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { decide } from '#features/cards/server/authorisations/decide.ts'
import { aCard, aRecharge } from '#features/cards/server/builders.ts'
import { standIn } from '#features/cards/server/issuers.ts'
import { workMove } from '#features/cards/server/money/work-moves.ts'
import { bookIssuer, HOME } from '#features/cards/server/testing/book-issuer.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

const [RATE, SECONDS] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10)]
const CARDS = 100
const postgres = await startPostgres(mkdtempSync(join(tmpdir(), 'mingxi-bench-')))
await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
const db = connect(postgres.url, { max: 10 })
const deps = {
  db,
  config: readConfig(platformConfig, { LOG_LEVEL: 'silent' }),
  settings: createSettings(db),
  log: createLog('silent'),
  clock: { now: () => new Date() },
} as unknown as Deps
const issuer = bookIssuer()
standIn(deps, [issuer])
const refs: string[] = []
for (let n = 0; n < CARDS; n++) {
  const userId = await aFundedUser(db, { purchased: 90n * NANO_PER_USD })
  const made = await issuer.createCard({ key: newId('key') })
  const card = await aCard(deps, { userId, issuer: issuer.name, made })
  await workMove(deps, await aRecharge(deps, card, 90n * NANO_PER_USD))
  refs.push(made.cardRef)
}

/** Starts one every so often whether or not those before have ended, as an issuer does. */
async function atRate(name: string, work: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const begun = performance.now()
  for (let n = 0; n < RATE * SECONDS; n++) {
    const at = begun + (n * 1000) / RATE
    const wait = at - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    running.push(
      work(n).then(() => {
        times.push(performance.now() - at)
      }),
    )
  }
  await Promise.all(running)
  times.sort((a, b) => a - b)
  const share = (of: number) => times[Math.floor((times.length - 1) * of)]!
  console.log(`${name.padEnd(24)} ${RATE}/s  p50 ${share(0.5).toFixed(1)} ms  p99 ${share(0.99).toFixed(1)} ms  worst ${share(1).toFixed(1)} ms`)
  return share(0.99)
}

let approved = 0
const bare = await atRate('a bare query', () => db.query('select 1'))
const answers = await atRate('an authorisation', async (n) => {
  const asked = { ref: `b${n}`, cardRef: refs[n % CARDS]!, minor: 100n, increment: false, partialAllowed: false, merchant: HOME }
  if ((await decide(deps, issuer, `e${n}`, asked)).approved) approved++
})
console.log(`${approved} approved; p99 is ${(answers / bare).toFixed(1)} times a bare query's`)
await db.close()
await postgres.stop()
