/** Draws from a seed: the same seed draws the same values in the same order on every machine. */
export interface SeededRandom {
  /** A number from 0 up to, not including, 1. */
  fraction(): number
  /** An integer, both bounds included. */
  int(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** One of the values, with a probability proportional to its weight. */
  weighted<T>(list: readonly (readonly [value: T, weight: number])[]): T
  /** True in this percentage of draws. */
  percent(share: number): boolean
}

/** Mulberry32: 32 bits of state are plenty for a few thousand draws. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1))
  return {
    fraction,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    weighted: (list) => {
      let left = fraction() * list.reduce((total, [, weight]) => total + weight, 0)
      for (const [value, weight] of list) if ((left -= weight) < 0) return value
      return list.at(-1)![0]
    },
    percent: (share) => fraction() * 100 < share,
  }
}

/** Derives a seed from another seed and a name, so that draws for one purpose do not shift those for another. */
export function deriveSeed(seed: number, ...names: readonly (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (const sign of names.join('/')) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193) >>> 0
  return hash
}
