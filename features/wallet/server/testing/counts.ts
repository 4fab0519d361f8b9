import { rounds } from '#platform/testing/rounds.ts'

/** How much of each random test runs with a change, and with MONEY_TESTS=full for a release. */
export const COUNTS = {
  modelRuns: rounds(100, 500),
  modelCommands: 60,
  histories: rounds(12, 50),
  spendRounds: rounds(12, 50),
  holdRaces: rounds(60, 200),
  databaseKills: rounds(4, 15),
  /** Each of the ways to tamper once, and more for a release. */
  tampers: rounds(12, 40),
  roundings: rounds(20_000, 100_000),
  hotPosts: rounds(15, 500),
  hotWriters: 32,
  refusedThenFunded: rounds(15, 50),
} as const
