/**
 * Bounds the walk over a file: so many frames, pages or boxes take some ten milliseconds. Files of the size that vendors take have fewer, unless they
 * were made to be slow: their length counts as unknown, and the most it can be is billed where the vendor names none.
 */
export interface StepBudget {
  left: number
  /** A pause is due once fewer are left. */
  pauseAt: number
  /** Steps between two pauses. */
  readonly slice: number
}

/** A walk that yields where other work of the event loop may run, and returns what it found. */
export type SteppedWalk<T> = Generator<void, T, void>

/** An eighth of a walk is one to three milliseconds of a slow core. */
const SLICES = 8

export function createStepBudget(most = 400_000): StepBudget {
  const slice = Math.ceil(most / SLICES)
  return { left: most, pauseAt: most - slice, slice }
}

/** False once the walk has been long enough. `by`: for what takes as long as so many steps. */
export function takeStep(walk: StepBudget, by = 1): boolean {
  walk.left -= by
  return walk.left >= 0
}

export const isBudgetSpent = (walk: StepBudget): boolean => walk.left < 0

/** True once a slice: the walk yields then. */
export function isPauseDue(walk: StepBudget): boolean {
  if (walk.left >= walk.pauseAt) return false
  walk.pauseAt = walk.left - walk.slice
  return true
}

/** Walks to the end at once: for files that are small, or that no caller made. */
export function walkToEnd<T>(walk: SteppedWalk<T>): T {
  for (;;) {
    const { done, value } = walk.next()
    if (done === true) return value
  }
}
