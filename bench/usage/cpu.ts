import { readFileSync } from 'node:fs'
import type { Db } from '#platform/server/database/db.ts'

/**
 * Milliseconds of CPU used so far by this process and the database's sessions: on a machine with other work they measure the cost of a
 * query, while the elapsed time includes waiting for a turn. Linux; 0 for missing processes.
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
