import { readFileSync } from 'node:fs'
import type { Db } from '#platform/server/database/db.ts'

/**
 * Milliseconds of CPU that this process and the database's sessions have used so far: on a machine with other work the figure that
 * says what a question costs, where the time on the clock says how long it had to wait for its turn. Linux; 0 for what is not there.
 */
export async function readDatabaseCpuMs(db: Db): Promise<number> {
  const rows = await db.query<{ pid: number }>(`select pid from pg_stat_activity where datname = current_database()`)
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + rows.reduce((sum, { pid }) => sum + readSessionCpuMs(pid), 0)
}

function readSessionCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
