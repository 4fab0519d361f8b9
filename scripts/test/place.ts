import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const TMPFS_MAGIC = 0x01021994
/** A whole run has written 0.6 GB at once; its programs take twice this beside it. */
const ROOM_BYTES = 2 * 2 ** 30

/** Where runs may lie: what an earlier one left is looked for in each. */
export const placesOfRuns = (): string[] => [...new Set([...(isMemory() ? [MEMORY] : []), tmpdir()])]

/**
 * Where a run keeps its databases and everything else: in memory where there is plenty. Each test file has a database of its own, some 1,500
 * files; a disk's file system takes up to a millisecond of processor time for one, memory a twentieth of that. Whoever sets TMPDIR has chosen.
 */
export function placeOfRun(): string {
  if (process.env['TMPDIR']) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return isMemory() && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 3 * ROOM_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Programs can be run from it, too. */
function isMemory(): boolean {
  try {
    const options = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY)?.[3]
    return statfsSync(MEMORY).type === TMPFS_MAGIC && options?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}
