/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface InvitationsBudgetsRow {
  readonly scope: string
  readonly month: Date
  readonly capNano: bigint
  readonly usedNano: bigint
}

export interface InvitationsCodesRow {
  readonly code: string
  readonly folded: string
  readonly userId: string
  readonly chosen: boolean
  readonly createdAt: Date
}

export interface InvitationsEntriesRow {
  readonly id: bigint
  readonly rewardId: bigint
  readonly userId: string
  readonly kind: 'earned' | 'clawed_back' | 'restored'
  readonly round: number
  readonly amountNano: bigint
  readonly payoutId: bigint | null
  readonly createdAt: Date
}

export interface InvitationsPayoutsRow {
  readonly id: bigint
  readonly payoutNo: string
  readonly userId: string
  readonly way: 'balance' | 'withdrawal'
  readonly amountNano: bigint
  readonly state: 'done' | 'returned'
  readonly createdAt: Date
}

export interface InvitationsRatesRow {
  readonly id: bigint
  readonly inviterId: string
  readonly rewardNano: bigint
  readonly validFrom: Date
  readonly validUntil: Date
  readonly reason: string
  readonly madeBy: string
  readonly madeAt: Date
  readonly endedAt: Date | null
  readonly endedBy: string | null
}

export interface InvitationsRelationsRow {
  readonly inviteeId: string
  readonly inviterId: string
  readonly code: string
  readonly way: 'signup' | 'later'
  readonly ruleVersion: number
  readonly inCycle: boolean
  readonly createdAt: Date
}

export interface InvitationsReviewsRow {
  readonly id: bigint
  readonly inviterId: string
  readonly dueAt: Date
  readonly createdAt: Date
  readonly closedAt: Date | null
  readonly decision: 'release' | 'refuse' | null
  readonly actor: string | null
  readonly reason: string | null
  readonly openedBy: string
}

export interface InvitationsRewardEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface InvitationsRewardStepsRow {
  readonly id: bigint
  readonly rewardId: bigint
  readonly at: Date
  readonly fromState: string | null
  readonly toState: string
  readonly reason: string
}

export interface InvitationsRewardsRow {
  readonly id: bigint
  readonly kind: 'direct' | 'second' | 'cashback'
  readonly inviterId: string
  readonly inviteeId: string
  readonly orderNo: string
  readonly baseNano: bigint
  readonly ruleVersion: number
  readonly rate: string
  readonly amountNano: bigint
  readonly state: 'pending' | 'held' | 'refused' | 'available' | 'paid' | 'clawed_back'
  readonly reason: string
  readonly score: number
  readonly restored: boolean
  readonly month: Date
  readonly availableAt: Date
  readonly createdAt: Date
  readonly changedAt: Date
}

export interface InvitationsRulesRow {
  readonly version: number
  readonly effectiveAt: Date
  readonly rewardNano: bigint
  readonly discountNano: bigint
  readonly thresholdNano: bigint
  readonly holdDays: number
  readonly keepDays: number
  readonly inviterCapNano: bigint
  readonly programmeCapNano: bigint
  readonly withdrawMinNano: bigint
  readonly tiers: unknown
  readonly secondNano: bigint | null
  readonly cashbackPercent: string | null
  readonly actor: string
  readonly createdAt: Date
}

export interface InvitationsSignalsRow {
  readonly rewardId: bigint
  readonly signal: string
  readonly weight: number
  readonly facts: unknown
  readonly createdAt: Date
}
