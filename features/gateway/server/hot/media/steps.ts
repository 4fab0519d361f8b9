/**
 * How far a file is walked: so many frames, pages or boxes take some ten milliseconds. Files of the size that vendors take have fewer, unless they
 * were made to be slow: their length counts as unknown, and the most it can be is billed where the vendor names none.
 */
export interface Steps {
  left: number
}

export const steps = (most = 400_000): Steps => ({ left: most })

/** False once the walk has been long enough. `by`: for what takes as long as so many steps. */
export function step(walk: Steps, by = 1): boolean {
  walk.left -= by
  return walk.left >= 0
}

export const isOver = (walk: Steps): boolean => walk.left < 0
