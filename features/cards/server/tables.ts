/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface CardsAuthEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface CardsAuthStepsRow {
  readonly id: bigint
  readonly authorizationId: string
  readonly at: Date
  readonly event: string
  readonly amount: bigint
}

export interface CardsAuthorizationsRow {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly state: 'approved' | 'declined' | 'closed' | 'reversed' | 'expired'
  readonly asked: bigint
  readonly issuerHeld: bigint
  readonly held: bigint
  readonly holdId: string | null
  readonly holds: number
  readonly captured: bigint
  readonly counted: bigint
  readonly month: Date
  readonly uncovered: bigint
  readonly reversals: number
  readonly reason: string
  readonly missing: bigint | null
  readonly merchant: unknown
  readonly local: unknown
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly releaseAt: Date | null
  readonly version: number
  readonly nextCheckAt: Date | null
  readonly checks: number
}

export interface CardsBillsRow {
  readonly id: string
  readonly cardId: string
  readonly userId: string
  readonly at: Date
  readonly kind: string
  readonly state: 'processing' | 'success' | 'fail' | 'reversed' | 'merged'
  readonly amount: bigint
  readonly fee: bigint
  readonly feeKind: 'abroad' | 'refund' | 'reversal' | 'activation' | null
  readonly merchant: string
  readonly place: string
  readonly country: string
  readonly local: unknown
  readonly reason: string
  readonly missing: bigint | null
  readonly balanceAfter: bigint | null
  readonly method: string
  readonly orderNo: string | null
  readonly authorizationId: string | null
  readonly transactionId: string | null
  readonly moveId: string | null
  readonly seq: bigint
}

export interface CardsBookDaysRow {
  readonly issuer: string
  readonly day: Date
  readonly comparedAt: Date
  readonly rows: number
  readonly faults: number
}

export interface CardsBookFaultsRow {
  readonly id: bigint
  readonly issuer: string
  readonly day: Date
  readonly ref: string
  readonly fault: 'missing' | 'extra' | 'amount' | 'kind' | 'card' | 'twice' | 'sum'
  readonly ours: string
  readonly theirs: string
  readonly foundAt: Date
  readonly mendedAt: Date | null
}

export interface CardsCardEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface CardsCardStepsRow {
  readonly id: bigint
  readonly cardId: string
  readonly at: Date
  readonly fromState: string | null
  readonly toState: string
  readonly actor: string
  readonly reason: string
}

export interface CardsCardsRow {
  readonly id: string
  readonly userId: string
  readonly type: 'standard' | 'pro'
  readonly state: string
  readonly frozenBy: 'user' | 'risk' | 'issuer' | null
  readonly closeReason: 'refusals' | 'refusal_rate' | 'lost' | 'expired' | 'replaced' | 'user' | 'account' | null
  readonly failReason: string
  readonly issuer: string
  readonly attempt: number
  readonly cardRef: string | null
  readonly issuerState: string
  readonly issuerWanted: 'active' | 'frozen' | 'closed'
  readonly bin: string
  readonly last4: string
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly holder: string
  readonly months: number
  readonly validUntil: Date | null
  readonly address: unknown
  readonly orderNo: string | null
  readonly replaces: string | null
  readonly replacedBy: string | null
  readonly changeWhy: 'user' | 'risk' | 'lost' | 'expired' | null
  readonly mustChange: boolean
  readonly activated: boolean
  readonly refusals: number
  readonly totalSpent: bigint
  readonly totalRecharged: bigint
  readonly uncovered: bigint
  readonly warned: unknown
  readonly readAt: Date | null
  readonly hiddenAt: Date | null
  readonly createdAt: Date
  readonly openedAt: Date | null
  readonly closedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly askedAt: Date
  readonly stuck: '' | 'retryable' | 'unknown'
  readonly addressKnown: boolean
}

export interface CardsChallengesRow {
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly at: Date
}

export interface CardsDecisionsRow {
  readonly issuer: string
  readonly eventId: string
  readonly ref: string
  readonly cardId: string | null
  readonly asked: bigint
  readonly approved: boolean
  readonly amount: bigint
  readonly reason: string
  readonly at: Date
}

export interface CardsDisputesRow {
  readonly id: string
  readonly userId: string
  readonly cardId: string
  readonly transactionId: string
  readonly issuerRef: string | null
  readonly state: 'draft' | 'submitted' | 'won' | 'lost' | 'expired' | 'refused'
  readonly reason: string
  readonly words: string
  readonly filePath: string | null
  readonly amount: bigint
  readonly credited: bigint
  readonly credits: number
  readonly createdAt: Date
  readonly submittedAt: Date | null
  readonly finishedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
}

export interface CardsFreeDaysRow {
  readonly userId: string
  readonly day: Date
  readonly givenNano: bigint
  readonly changedAt: Date
}

export interface CardsHoldersRow {
  readonly issuer: string
  readonly userId: string
  readonly holderRef: string | null
  readonly createdAt: Date
  readonly generation: number
}

export interface CardsMembersRow {
  readonly userId: string
  readonly until: Date
  readonly chosenCard: string | null
  readonly createdAt: Date
  readonly leftAt: Date | null
}

export interface CardsMembershipsRow {
  readonly orderNo: string
  readonly userId: string
  readonly years: number
  readonly givenAt: Date
  readonly undoneAt: Date | null
}

export interface CardsMonthsRow {
  readonly cardId: string
  readonly month: Date
  readonly spent: bigint
  readonly forced: bigint
  readonly ceiling: bigint
}

export interface CardsMoveEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface CardsMovesRow {
  readonly id: string
  readonly userId: string
  readonly kind: 'recharge' | 'withdrawal' | 'returned' | 'moved'
  readonly fromCard: string | null
  readonly toCard: string | null
  readonly state: 'unloading' | 'loading' | 'done' | 'failed'
  readonly amount: bigint
  readonly fee: bigint
  readonly orderNo: string | null
  readonly channelType: number | null
  readonly reason: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
  readonly givenBack: bigint
}

export interface CardsNoticesRow {
  readonly issuer: string
  readonly eventId: string
  readonly kind: string
  readonly ref: string
  readonly cardRef: string
  readonly at: Date
  readonly doneAt: Date | null
  readonly nextCheckAt: Date | null
  readonly checks: number
}

export interface CardsRefusalsRow {
  readonly issuer: string
  readonly userId: string
  readonly reason: string
  readonly at: Date
}

export interface CardsTaskHoldsRow {
  readonly id: string
  readonly cardId: string
  readonly name: string
  readonly amount: bigint
  readonly leftNano: bigint
  readonly used: bigint
  readonly holdId: string | null
  readonly holds: number
  readonly merchants: readonly string[]
  readonly createdAt: Date
  readonly armedAt: Date | null
  readonly closedAt: Date | null
  readonly outcome: 'freed' | 'charged' | null
}

export interface CardsTaskUsesRow {
  readonly holdId: string
  readonly ref: string
  readonly amount: bigint
  readonly at: Date
}

export interface CardsTransactionsRow {
  readonly id: string
  readonly issuer: string
  readonly ref: string
  readonly cardId: string
  readonly authorizationId: string | null
  readonly kind: 'capture' | 'refund' | 'refund_reversal'
  readonly amount: bigint
  readonly fee: bigint
  readonly at: Date
  readonly bookedAt: Date
}
