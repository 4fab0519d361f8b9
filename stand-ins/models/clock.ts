/** Time as a dependency; the shell passes its own. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
