/**
 * How far a file is walked: so many frames, pages or boxes take some ten milliseconds. Files of the size that vendors take have fewer, unless they
 * were made to be slow: their length counts as unknown, and the most it can be is billed where the vendor names none.
 */
export interface Steps {
  left: number
}

export const steps = (most = 400_000): Steps => ({ left: most })

/** False once the walk has been long enough. */
export function step(walk: Steps): boolean {
  return --walk.left >= 0
}
