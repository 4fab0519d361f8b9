/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface WalletAccountKindsRow {
  readonly kind: string
  readonly mayGoNegative: boolean
  readonly hasLots: boolean
  readonly about: string
}

export interface WalletAccountsRow {
  readonly id: bigint
  readonly owner: string
  readonly kind: string
  readonly currency: string
  readonly mayGoNegative: boolean
  readonly hasLots: boolean
  readonly posted: bigint
  readonly held: bigint
  readonly granted: bigint
  readonly purchasedHeld: bigint
  readonly recharged: bigint
  readonly spent: bigint
  readonly entryCount: bigint
  readonly head: Buffer
  readonly openedAt: Date
}

export interface WalletAllowedPairsRow {
  readonly debitKind: string
  readonly creditKind: string
  readonly recharges: number
  readonly spends: number
  readonly about: string
  readonly leaves: boolean
}

export interface WalletCapturesRow {
  readonly kind: string
  readonly ref: string
  readonly holdId: string
  readonly amount: bigint
  readonly fromHold: bigint
  readonly fromAvailable: bigint
  readonly debt: bigint
  readonly transactionId: bigint
  readonly accountId: bigint | null
}

export interface WalletHoldsRow {
  readonly id: string
  readonly accountId: bigint
  readonly asked: bigint
  readonly amount: bigint
  readonly captured: bigint
  readonly status: 'pending' | 'posted' | 'voided' | 'expired' | 'refused'
  readonly purpose: string
  readonly onlyPurchased: boolean
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly closedAt: Date | null
}

export interface WalletLotUsesRow {
  readonly transferId: bigint
  readonly lotId: bigint
  readonly amount: bigint
  readonly undoes: bigint | null
  readonly accountId: bigint | null
}

export interface WalletLotsRow {
  readonly id: bigint
  readonly accountId: bigint
  readonly transferId: bigint
  readonly kind: 'purchased' | 'granted'
  readonly amount: bigint
  readonly remaining: bigint
  readonly spent: boolean | null
  readonly orderRef: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

export interface WalletOverCapturesRow {
  readonly kind: string
  readonly ref: string
  readonly amount: bigint
  readonly reason: string
  readonly accountId: bigint | null
}

export interface WalletPayersRow {
  readonly owner: string
  readonly payer: string
}

export interface WalletTransactionsRow {
  readonly id: bigint
  readonly kind: string
  readonly ref: string
  readonly bodyHash: Buffer
  readonly at: Date
  readonly accountId: bigint | null
}

export interface WalletTransfersRow {
  readonly id: bigint
  readonly transactionId: bigint
  readonly debitAccountId: bigint
  readonly creditAccountId: bigint
  readonly debitKind: string
  readonly creditKind: string
  readonly currency: string
  readonly amount: bigint
  readonly debitSeq: bigint
  readonly creditSeq: bigint
  readonly debitAfter: bigint
  readonly creditAfter: bigint
  readonly debitHash: Buffer
  readonly creditHash: Buffer
  readonly accountId: bigint | null
}
