import { rounds } from '#platform/testing/rounds.ts'

/** Random events: what a change needs, and what a release needs. */
export const EVENTS = rounds(240, 100_000)
