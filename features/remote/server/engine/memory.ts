import { readdirSync, readFileSync } from 'node:fs'

/** Megabytes that a browser's processes really take: shared pages count in parts. 0 where this cannot be read. */
export function readBrowserMegabytes(pid: number): number {
  return listGroupPids(pid).reduce((sum, one) => sum + readPssKilobytes(one), 0) / 1024
}

/** All processes of the group that began with this one. */
function listGroupPids(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        // after the name in brackets: state, parent, group
        return Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[2]) === pid
      } catch {
        return false // it has ended meanwhile
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
