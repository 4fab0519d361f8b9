import { readFileSync } from 'node:fs'

/** Milliseconds of one clock tick in /proc; Linux reports 100 ticks a second to programs (proc(5), sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10

/** Processor time of a process in milliseconds; undefined where it has ended or the system has no /proc. */
export function readProcessorMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    // the name may hold blanks and brackets; the fields after it are numbers: utime is the 12th, stime the 13th
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}
