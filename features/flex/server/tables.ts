/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface FlexAccountsRow {
  readonly id: bigint
  readonly supplier: string
  readonly ref: string
  readonly platform: number
  readonly tier: string
  readonly state: 'open' | 'closed' | 'lost'
  readonly createdAt: Date
}

export interface FlexSandboxCallsRow {
  readonly key: string
  readonly answer: unknown
}

export interface FlexSandboxMembersRow {
  readonly ref: string
  readonly key: string
  readonly accountRef: string
  readonly until: Date
  readonly state: 'pending' | 'active' | 'removed'
  readonly token: string
  readonly createdAt: Date
}

export interface FlexSandboxMessagesRow {
  readonly id: bigint
  readonly memberRef: string
  readonly service: string
  readonly at: Date
}

export interface FlexSeatUsesRow {
  readonly id: bigint
  readonly accountId: bigint
  readonly no: number
  readonly taskId: string
  readonly takenAt: Date
  readonly leftAt: Date
}

export interface FlexSeatsRow {
  readonly accountId: bigint
  readonly no: number
  readonly taskId: string | null
  readonly takenAt: Date | null
}

export interface FlexTrialPeopleRow {
  readonly platform: number
  readonly digest: Buffer
  readonly userId: string
}

export interface FlexTrialsRow {
  readonly userId: string
  readonly platform: number
  readonly taskId: string
  readonly at: Date
}
