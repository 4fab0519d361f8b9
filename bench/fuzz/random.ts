/** Random numbers from a seed (mulberry32). */
export interface FuzzRandom {
  /** An integer from 0 up to, not including, `below`. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
  /** True once in `n` draws. */
  once(n: number): boolean
  bytes(length: number): Buffer
}

export function createFuzzRandom(seed: number): FuzzRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    once: (n) => int(n) === 0,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  }
}
