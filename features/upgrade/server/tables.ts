/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface UpgradeOrdersRow {
  readonly id: string
  readonly userId: string
  readonly plan: string
  readonly service: string
  readonly seats: number
  readonly account: string
  readonly link: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly taskId: string | null
  readonly ticket: bigint | null
  readonly cardId: string | null
  readonly last4: string
  readonly amount: bigint | null
  readonly fee: bigint | null
  readonly queuedAt: Date | null
  readonly outcome: 'done' | 'failed' | null
  readonly cause: string
  readonly endedAt: Date | null
  readonly lent: number
  readonly shown: number
  readonly shownAt: Date | null
  readonly shownTo: string | null
}

export interface UpgradeSandboxRow {
  readonly key: string
  readonly ref: string
  readonly account: string
  readonly state: 'working' | 'done' | 'failed' | 'expired' | 'captcha' | 'cancelled'
  readonly cause: string
  readonly createdAt: Date
}
