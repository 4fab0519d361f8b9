/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface NoticesMailsRow {
  readonly id: string
  readonly dedupe: string
  readonly template: string
  readonly recipient: string
  readonly content: Buffer | null
  readonly state: 'waiting' | 'sent' | 'refused' | 'expired'
  readonly vendor: string | null
  readonly problem: string | null
  readonly attempts: number
  readonly claimedUntil: Date | null
  readonly goodUntil: Date
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly repeatable: boolean
  readonly kept: Buffer | null
  readonly resentFrom: string | null
}

export interface NoticesSandboxMailsRow {
  readonly seq: bigint
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly code: string | null
  readonly at: Date
}

export interface NoticesSandboxSmsRow {
  readonly seq: bigint
  readonly messageId: string
  readonly recipient: string
  readonly text: string
  readonly code: string | null
  readonly at: Date
}

export interface NoticesSmsRow {
  readonly id: string
  readonly dedupe: string
  readonly template: string
  readonly recipient: string
  readonly content: Buffer | null
  readonly state: 'waiting' | 'sent' | 'refused' | 'expired'
  readonly vendor: string | null
  readonly maybeTakenBy: string | null
  readonly problem: string | null
  readonly attempts: number
  readonly claimedUntil: Date | null
  readonly goodUntil: Date
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export interface NoticesSmsHoursRow {
  readonly hour: Date
  readonly count: number
}
