import { chooseRounds } from '#platform/testing/rounds.ts'

/** Size of each random test: for a change, and with MONEY_TESTS=full for a release. */
export const COUNTS = {
  modelRuns: chooseRounds(100, 500),
  modelCommands: 60,
  histories: chooseRounds(12, 50),
  spendRounds: chooseRounds(12, 50),
  holdRaces: chooseRounds(60, 200),
  databaseKills: chooseRounds(4, 15),
  /** Each way to tamper once, and more for a release. */
  tampers: chooseRounds(12, 40),
  roundings: chooseRounds(20_000, 100_000),
  hotPosts: chooseRounds(15, 500),
  hotWriters: 32,
  refusedThenFunded: chooseRounds(15, 50),
} as const
