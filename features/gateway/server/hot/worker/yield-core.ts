import { getPriority, setPriority } from 'node:os'

const NICEST = 19

/**
 * Raises the calling thread's niceness, so that the other threads of this process run first on a machine with too few cores. Linux keeps
 * niceness by thread (setpriority(2), "C library/kernel differences"); elsewhere it would apply to the process, and is left unchanged.
 * Niceness is never lowered, which only root may do.
 */
export function yieldCore(by: number): void {
  if (process.platform === 'linux') setPriority(0, Math.min(NICEST, getPriority(0) + by))
}
