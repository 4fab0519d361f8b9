import { readdirSync, readFileSync } from 'node:fs'

/** Memory of a browser's processes in megabytes, with shared pages counted proportionally; 0 if it cannot be read. */
export function readBrowserMegabytes(pid: number): number {
  return listGroupPids(pid).reduce((sum, one) => sum + readPssKilobytes(one), 0) / 1024
}

/** All processes of the group that this process leads. */
function listGroupPids(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        // Fields after the name in brackets: state, parent, group
        return Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[2]) === pid
      } catch {
        return false // the process has ended meanwhile
      }
    })
}

function readPssKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
