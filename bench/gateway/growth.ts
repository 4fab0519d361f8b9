import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { measureLoad } from './load.ts'
import type { LoadRequest, LoadProfile, MeasuredRun } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import type { RealServer } from './real.ts'
import { startMock } from './rivals.ts'
import { measureInTurns, findLeastCpuMs, computeMedianFigure, computeMedianRatio } from './turns.ts'
import type { Rounds } from './turns.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { generateKeySecret, hashKeySecret } from '#features/gateway/server/keys/secret.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'

const KEY_BALANCE_NANO = 1_000_000_000_000n
const BATCH = 10_000

/** Creates keys, distributed evenly among new accounts with money; returns their secrets. */
async function createManyKeys(db: Db, keys: number, accounts: number): Promise<string[]> {
  const owners: Array<{ userId: string; accountId: bigint }> = []
  for (let i = 0; i < accounts; i++) {
    const userId = await aFundedUser(db, { purchased: KEY_BALANCE_NANO * BigInt(Math.ceil(1000 / accounts)) })
    const accountId = await transact(db, SYSTEM, async (tx) => {
      await tx.audit('bench.account', `user:${userId}`)
      return openAccount(tx, `user:${userId}`, { kind: 'customer' })
    })
    owners.push({ userId, accountId })
  }
  const secrets: string[] = []
  while (secrets.length < keys) {
    const batch = Array.from({ length: Math.min(BATCH, keys - secrets.length) }, () => generateKeySecret())
    const owner = batch.map((_, i) => owners[(secrets.length + i) % owners.length]!)
    await db.query(
      `insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4)
       select k, u, a, 'bench', decode(h, 'hex'), l from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) as t (k, u, a, h, l)`,
      [
        batch.map(() => createId('key')),
        owner.map((o) => o.userId),
        owner.map((o) => o.accountId),
        batch.map((secret) => hashKeySecret(secret)),
        batch.map((secret) => secret.slice(-4)),
      ],
    )
    secrets.push(...batch)
  }
  return secrets
}

/** Maximum number of keys in the traffic; a second of load uses no more. */
const MAX_BUSY_KEYS = 10_000
const SHARED = 1_000

/** A server, and the keys used to call it. */
interface Subject {
  readonly server: RealServer
  readonly keys: number
  readonly accounts: number
  readonly busy: readonly string[]
}

/**
 * Measures CPU per request as the number of keys grows (10, 10,000, 1,000,000; up to 10,000 of them busy, one account), and one account
 * with all traffic against many. Each has a server and a database, so that they can alternate: other load on the machine affects all alike.
 * Goal: within 10 %, and one account at least 0.7 of many.
 */
export async function benchKeyGrowth(o: Options): Promise<void> {
  await startMock()
  const servers: RealServer[] = []
  const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'))
  try {
    const subjects: Subject[] = []
    for (const keys of [10, 10_000, o.keys]) {
      const server = await startReal({ postgres: o.postgres })
      servers.push(server)
      const made = await createManyKeys(server.db, keys, 1)
      subjects.push({ server, keys, accounts: 1, busy: made.slice(0, MAX_BUSY_KEYS) })
    }
    await vacuumDatabases(servers)
    console.log('\n  keys   accounts   busy keys    req/s   CPU ms/req least  median   of the first')
    await compare(subjects, o, folder)

    const server = servers.at(-1)!
    const had = o.keys + 2 * SHARED
    const one = { server, keys: had, accounts: 1, busy: await createManyKeys(server.db, SHARED, 1) }
    const many = { server, keys: had, accounts: SHARED, busy: await createManyKeys(server.db, SHARED, SHARED) }
    await vacuumDatabases([server])
    const [ofOne, ofMany] = await compare([one, many], o, folder)
    console.log(`one account against a thousand: ${computeMedianRatio(ofOne!, ofMany!, 'rps').toFixed(2)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    for (const server of servers) console.log(`mingxi: ${await server.finish()}`)
  }
}

/** Measures the subjects alternately and prints the cost of each; returns the rounds of each. */
async function compare(subjects: readonly Subject[], o: Options, folder: string): Promise<Rounds[]> {
  const ask: LoadRequest = { api: o.api, model: o.model, sse: false }
  const under = (subject: Subject, seconds: number): Promise<MeasuredRun> => {
    const file = join(folder, 'keys')
    writeFileSync(file, subject.busy.map((key) => `${key}\n`).join(''))
    const load: LoadProfile = { connections: o.concurrency, seconds, warmup: 1, keys: file }
    return measureLoad({ ...subject.server.rivals[0]!, key: subject.busy[0]! }, ask, load)
  }
  for (const subject of subjects) await under(subject, o.warm)
  const results = await measureInTurns(subjects, o.rounds, (subject) => under(subject, o.seconds))
  for (const [i, { keys, accounts, busy }] of subjects.entries()) {
    const rounds = results[i]!
    console.log(
      `${String(keys).padStart(9)}${String(accounts).padStart(8)}${String(busy.length).padStart(12)}${computeMedianFigure(rounds, 'rps').toFixed(0).padStart(9)}` +
        `${findLeastCpuMs(rounds).toFixed(4).padStart(18)}${computeMedianFigure(rounds, 'cpuMs').toFixed(4).padStart(9)}${computeMedianRatio(rounds, results[0]!, 'cpuMs').toFixed(2).padStart(13)}`,
    )
  }
  return results
}

/** Vacuums and checkpoints the databases, so that the bulk insert's aftermath does not affect the measurement. */
async function vacuumDatabases(servers: readonly RealServer[]): Promise<void> {
  for (const { databaseUrl } of servers) {
    const owner = connect(databaseUrl, { max: 1, asOwner: true })
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
    await owner.close()
  }
}
