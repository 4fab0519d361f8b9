/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface RiskBlocksRow {
  readonly id: string
  readonly kind: 'network' | 'mailDomain' | 'device' | 'payer'
  readonly value: string
  readonly digests: readonly Buffer[]
  readonly note: string
  readonly madeBy: string
  readonly madeAt: Date
  readonly endsAt: Date
  readonly liftedAt: Date | null
  readonly liftedBy: string | null
}

export interface RiskCountersRow {
  readonly bucket: string
  readonly subject: Buffer
  readonly count: number
  readonly endsAt: Date
}

export interface RiskMarksRow {
  readonly kind: 'mailbox' | 'payer' | 'payout' | 'person' | 'device' | 'place' | 'network' | 'keys'
  readonly digest: Buffer
  readonly keyId: Buffer
  readonly subject: string
  readonly firstAt: Date
  readonly lastAt: Date
}

export interface RiskPuzzlesRow {
  readonly id: string
  readonly scene: string
  readonly answer: Buffer
  readonly tries: number
  readonly state: 'open' | 'passed' | 'spent'
  readonly proof: Buffer | null
  readonly endsAt: Date
}

export interface RiskSpentProofsRow {
  readonly proof: Buffer
  readonly endsAt: Date
}
