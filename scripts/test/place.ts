import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY_FOLDER = '/dev/shm'
/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const TMPFS_MAGIC = 0x01021994
/** A whole run writes up to 0.6 GB; its programs take twice this besides. */
const ROOM_BYTES = 2 * 2 ** 30

/** Possible places of run folders; each is searched for leftovers of an earlier run. */
export const listRunPlaces = (): string[] => [...new Set([...(isMemoryUsable() ? [MEMORY_FOLDER] : []), tmpdir()])]

/**
 * Folder for a run's databases and other files: in memory if there is plenty. Each test file has a separate database of some 1,500 files; on a disk's
 * file system each takes up to a millisecond of processor time, in memory a twentieth of that. TMPDIR overrides the choice.
 */
export function chooseRunPlace(): string {
  if (process.env['TMPDIR']) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return isMemoryUsable() && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 3 * ROOM_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** True if /dev/shm is usable, including for running programs. */
function isMemoryUsable(): boolean {
  try {
    const options = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY_FOLDER)?.[3]
    return statfsSync(MEMORY_FOLDER).type === TMPFS_MAGIC && options?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}
