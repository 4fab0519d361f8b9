/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface BrowserTokensRow {
  readonly userId: string
  readonly tokenHash: Buffer
  readonly createdAt: Date
  readonly usedAt: Date | null
  readonly sessions: bigint
}

export interface BrowserTrialPeopleRow {
  readonly digest: Buffer
  readonly userId: string
}

export interface BrowserTrialsRow {
  readonly userId: string
  readonly taskId: string
  readonly createdAt: Date
}
