import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Finds the PostgreSQL processes that work in a folder. Details are available on Linux only; elsewhere a live pid is the only evidence. */

/** The pid of the cluster's live server. Ignores a file left by a crash and a pid since reused by another program. */
export function findRunningPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isPidAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster) ? pid : undefined
  } catch {
    return undefined
  }
}

export function isPidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function listClusterProcesses(cluster: string): string[] {
  if (!existsSync('/proc/self/cwd')) return []
  const folder = realpathSync(cluster)
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isWorkingIn(name, folder))
}

function isWorkingIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}
