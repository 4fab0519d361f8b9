import { readFileSync, readdirSync } from 'node:fs'
import type { Db } from '#platform/server/database/db.ts'
import { readCpuSeconds, measureLoad } from './load.ts'
import type { LoadRequest } from './load.ts'
import type { Options } from './options.ts'
import { startReal } from './real.ts'
import { startMock, configureMockStreams } from './rivals.ts'

/** PostgreSQL's cumulative counters. */
interface PostgresWork {
  readonly cpu: number
  readonly wal: number
  readonly commits: number
  readonly rows: number
}

/**
 * Measures the cost of one call for the gateway and its database at several loads, as input for docs/scale.md. PostgreSQL's CPU covers all its
 * processes; WAL holds full pages after a checkpoint, so a short run shows more of it than a long one.
 */
export async function benchUnitCosts(o: Options): Promise<void> {
  await startMock()
  const real = await startReal({ postgres: o.postgres })
  const rival = real.rivals[0]!
  console.log('\n                         at once    req/s   gateway CPU ms   database CPU ms   WAL bytes   commits    rows   errors   (each a call)')
  try {
    for (const [name, sse, connections, rate] of [
      ['JSON', false, 1, undefined],
      ['JSON', false, 32, undefined],
      ['JSON, 200 a second', false, 16, 200],
      ['stream of 64 chunks', true, 64, undefined],
    ] as const) {
      if (sse) await configureMockStreams(o.bursts.at(-1) ?? 4)
      const ask: LoadRequest = { api: o.api, model: o.model, sse }
      const before = await workOf(real.db)
      const served = await measureLoad(rival, ask, { connections, seconds: o.seconds * 3, warmup: 0, ...(rate ? { rate } : {}) })
      const after = await workOf(real.db)
      const each = (of: (work: PostgresWork) => number) => (of(after) - of(before)) / served.ok
      console.log(
        `${name.padEnd(22)}${String(connections).padStart(10)}${served.rps.toFixed(0).padStart(9)}${served.cpuMs.toFixed(4).padStart(17)}${(each((w) => w.cpu) * 1000).toFixed(4).padStart(18)}` +
          `${each((w) => w.wal)
            .toFixed(0)
            .padStart(12)}${each((w) => w.commits)
            .toFixed(3)
            .padStart(10)}${each((w) => w.rows)
            .toFixed(2)
            .padStart(8)}${String(served.err).padStart(9)}`,
      )
    }
  } finally {
    console.log(`mingxi: ${await real.finish()}`)
  }
}

async function workOf(db: Db): Promise<PostgresWork> {
  const [backend] = await db.query<{ parent: number }>('select pg_backend_pid() as parent')
  const postmaster = parentOf(backend!.parent)
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === postmaster)
  await db.query('select pg_stat_clear_snapshot()')
  const [row] = await db.query<{
    wal: string
    commits: bigint
    rows: bigint
  }>(`select (select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text) as wal,
    (select xact_commit from pg_stat_database where datname = current_database()) as commits,
    (select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint from pg_stat_user_tables) as rows`)
  return { cpu: pids.reduce((sum, pid) => sum + readCpuSeconds(Number(pid)), 0), wal: Number(row!.wal), commits: Number(row!.commits), rows: Number(row!.rows) }
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
