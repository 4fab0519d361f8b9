import { getPriority, setPriority } from 'node:os'

const NICEST = 19

/**
 * Lets the other threads of this process go first where they have too few cores: the calling thread alone becomes nicer by so much. Linux keeps
 * niceness by thread (setpriority(2), "C library/kernel differences"); elsewhere it would be the process's, and is left as it is. Never less nice
 * than before, which only root may be.
 */
export function yieldCore(by: number): void {
  if (process.platform === 'linux') setPriority(0, Math.min(NICEST, getPriority(0) + by))
}
