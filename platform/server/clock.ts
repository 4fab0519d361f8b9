/** Time as a dependency, so that tests can pass their own clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
