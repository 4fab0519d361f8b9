import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** A process as Linux reports it. Other systems have no /proc, and every list here is empty. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** The process's own processor time so far, in milliseconds. */
  readonly cpuMs: number
  /** Start time in ticks since boot: together with the pid, it identifies one process forever. */
  readonly startedAt: string
  readonly name: string
}

/** Linux counts processor time in hundredths of a second for every program (sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10

export function listRunningProcesses(): RunningProcess[] {
  return listPids().flatMap((pid) => readPidStat(pid) ?? [])
}

/** Undefined if the process is gone or a zombie. */
export function readPidStat(pid: number): RunningProcess | undefined {
  const text = read(`/proc/${pid}/stat`)
  const end = text.lastIndexOf(')')
  const [state, parent, ...rest] = text.slice(end + 2).split(' ')
  if (end < 0 || state === 'Z' || state === 'X') return undefined
  // Fields 14, 15 and 22 of proc_pid_stat(5); here the third one comes first.
  return {
    pid,
    parent: Number(parent),
    cpuMs: (Number(rest[9]) + Number(rest[10])) * TICK_MS,
    startedAt: rest[17]!,
    name: text.slice(text.indexOf('(') + 1, end),
  }
}

/** Processor time in milliseconds of the children that this process has waited for, and of theirs. */
export function readChildrenMs(): number {
  const text = read('/proc/self/stat')
  const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(rest[13]) + Number(rest[14])) * TICK_MS || 0
}

/** Every process that was started with `mark` in its environment or works below `folder`, and its descendants. */
export function listRunProcesses(mark: string, folder: string): RunningProcess[] {
  const all = listRunningProcesses()
  const own = new Set(all.filter(({ pid }) => pid !== process.pid && (isMarked(pid, mark) || isWorkingBelow(pid, folder))).map(({ pid }) => pid))
  for (let grown = -1; grown !== own.size;) {
    grown = own.size
    for (const { pid, parent } of all) if (own.has(parent) && pid !== process.pid) own.add(pid)
  }
  return all.filter(({ pid }) => own.has(pid))
}

const isMarked = (pid: number, mark: string): boolean => `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`)

function isWorkingBelow(pid: number, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
  } catch {
    return false
  }
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
