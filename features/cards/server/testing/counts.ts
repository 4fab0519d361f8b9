import { rounds } from '#platform/testing/rounds.ts'

/** Random events: what a change needs, and what a release needs. */
export const EVENTS = Number(process.env['CARD_EVENTS'] ?? rounds(240, 100_000))

/** A test that a change runs once and a release so many times, each with people of its own. */
export const times = (release: number) => ({ repeats: rounds(0, release - 1) })
