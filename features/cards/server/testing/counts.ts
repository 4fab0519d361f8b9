import { chooseRounds } from '#platform/testing/rounds.ts'

/** Number of random events: for a change, and for a release. */
export const CARD_EVENT_COUNT = Number(process.env['CARD_EVENTS'] ?? chooseRounds(240, 100_000))

/** Repeats of a test that runs once for a change and so many times for a release, each with its own users. */
export const repeatForRelease = (release: number) => ({ repeats: chooseRounds(0, release - 1) })
