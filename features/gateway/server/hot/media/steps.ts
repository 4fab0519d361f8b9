/**
 * Limits the walk over a file to a number of frames, pages or boxes that takes some ten milliseconds. Files of the size that vendors accept
 * have fewer, unless they were made to be slow: their length counts as unknown, and its maximum is billed if the vendor reports none.
 */
export interface StepBudget {
  left: number
  /** Remaining steps below which a pause is due. */
  pauseAt: number
  /** Steps between two pauses. */
  readonly slice: number
}

/** A walk that yields to other work of the event loop, and returns its result. */
export type SteppedWalk<T> = Generator<void, T, void>

/** An eighth of a walk takes one to three milliseconds on a slow core. */
const SLICES = 8

export function createStepBudget(most = 400_000): StepBudget {
  const slice = Math.ceil(most / SLICES)
  return { left: most, pauseAt: most - slice, slice }
}

/** False once the walk has used up its steps. `by`: number of steps that the work costs. */
export function takeStep(walk: StepBudget, by = 1): boolean {
  walk.left -= by
  return walk.left >= 0
}

export const isBudgetSpent = (walk: StepBudget): boolean => walk.left < 0

/** True once per slice, when the walk yields. */
export function isPauseDue(walk: StepBudget): boolean {
  if (walk.left >= walk.pauseAt) return false
  walk.pauseAt = walk.left - walk.slice
  return true
}

/** Walks to the end at once: for small files, or files that no caller made. */
export function walkToEnd<T>(walk: SteppedWalk<T>): T {
  for (;;) {
    const { done, value } = walk.next()
    if (done === true) return value
  }
}
