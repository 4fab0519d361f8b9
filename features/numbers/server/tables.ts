/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface NumbersMessagesRow {
  readonly id: string
  readonly taskId: string
  readonly digest: Buffer
  readonly at: Date
  readonly late: boolean
  readonly sealed: Buffer | null
  readonly origin: Buffer | null
}

export interface NumbersRentalsRow {
  readonly supplier: string
  readonly ref: string
  readonly taskId: string
  readonly userId: string
  readonly number: string
  readonly service: string
  readonly country: string
  readonly cost: bigint
  readonly state: 'open' | 'kept' | 'given_back'
  readonly since: Date
  readonly receivedAt: Date | null
  readonly endedAt: Date | null
  readonly nextLookAt: Date | null
  readonly failures: number
}

export interface NumbersSandboxRow {
  readonly ref: string
  readonly number: string
  readonly service: string
  readonly country: string
  readonly cost: bigint
  readonly state: 'open' | 'cancelled' | 'finished'
  readonly texts: unknown
  readonly createdAt: Date
}

export interface NumbersSandboxMoodRow {
  readonly one: boolean
  readonly mood: 'well' | 'empty' | 'poor' | 'slow' | 'down' | 'early'
}

export interface NumbersStrangersRow {
  readonly supplier: string
  readonly ref: string
  readonly number: string
  readonly seenAt: Date
  readonly state: 'seen' | 'given_back' | 'kept'
}

export interface NumbersTriesRow {
  readonly id: bigint
  readonly at: Date
  readonly supplier: string
  readonly service: string
  readonly country: string
  readonly outcome: 'rented' | 'refused' | 'unknown'
  readonly why: string
}
