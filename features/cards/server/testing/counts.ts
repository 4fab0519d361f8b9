import { chooseRounds } from '#platform/testing/rounds.ts'

/** Random events: what a change needs, and what a release needs. */
export const CARD_EVENT_COUNT = Number(process.env['CARD_EVENTS'] ?? chooseRounds(240, 100_000))

/** A test that a change runs once and a release so many times, each with people of its own. */
export const repeatForRelease = (release: number) => ({ repeats: chooseRounds(0, release - 1) })
