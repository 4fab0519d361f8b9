/** How much of each random test runs with every change; the nightly figures of money.md are the second ones. */
export const COUNTS = {
  modelRuns: 500, // 20 000
  modelCommands: 60, // 200
  histories: 50, // 2 000
  spendRounds: 50, // 2 000
  holdRaces: 200, // 10 000
  databaseKills: 15, // 200
  tampers: 20,
  roundings: 100_000, // 10 000 000
  hotSeconds: 10, // 60
  hotWriters: 32,
  refusedThenFunded: 50,
} as const
