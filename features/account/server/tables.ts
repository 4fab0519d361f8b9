/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */
import type { Lang } from '#platform/shared/languages.ts'

export interface AccountAuthenticatorsRow {
  readonly userId: string
  readonly sealed: Buffer
  readonly counter: bigint
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

export interface AccountChallengesRow {
  readonly id: string
  readonly challenge: string
  readonly purpose: 'register' | 'stepUp'
  readonly userId: string
  readonly expiresAt: Date
}

export interface AccountCodesRow {
  readonly purpose:
    | 'login'
    | 'register'
    | 'updatePassword'
    | 'verify'
    | 'updateEmail'
    | 'updateMobile'
    | 'bindMobile'
    | 'payPassword'
    | 'deleteAccount'
    | 'stepUp'
  readonly kind: 'email' | 'mobile'
  readonly target: string
  readonly id: string
  readonly codeHmac: Buffer
  readonly sentAt: Date
  readonly expiresAt: Date
  readonly guesses: number
  readonly usedAt: Date | null
  readonly asker: Buffer | null
  readonly strangeGuesses: number
}

export interface AccountEndedSessionsRow {
  readonly tokenHash: Buffer
  readonly expiresAt: Date
}

export interface AccountFlowsRow {
  readonly tokenHash: Buffer
  readonly userId: string
  readonly sessionId: string
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

export interface AccountFreezesRow {
  readonly userId: string
  readonly scope: 'money_out' | 'calls'
  readonly frozenAt: Date
  readonly reason: string
  readonly frozenBy: string
}

export interface AccountIdentitiesRow {
  readonly kind: 'email' | 'mobile' | 'google'
  readonly subject: string
  readonly display: string
  readonly userId: string
  readonly verifiedAt: Date | null
  readonly createdAt: Date
}

export interface AccountOauthStatesRow {
  readonly digest: Buffer
  readonly expiresAt: Date
}

export interface AccountPasskeysRow {
  readonly id: string
  readonly userId: string
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface AccountPayPasswordsRow {
  readonly userId: string
  readonly hash: string
  readonly tries: number
  readonly streak: number
  readonly setAt: Date
  readonly keyId: Buffer | null
}

export interface AccountPlacesRow {
  readonly userId: string
  readonly digest: Buffer
  readonly lastAt: Date
}

export interface AccountRecoveryRow {
  readonly userId: string
  readonly codeHash: Buffer
  readonly usedAt: Date | null
}

export interface AccountSessionsRow {
  readonly tokenHash: Buffer
  readonly id: string
  readonly userId: string
  readonly ip: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  readonly provenAt: Date
}

export interface AccountUsersRow {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'frozen' | 'deleted'
  readonly passwordHash: string | null
  readonly passwordSetAt: Date | null
  readonly createdAt: Date
  readonly firstName: string
  readonly lastName: string
  readonly language: Lang | null
  readonly theme: 'system' | 'light' | 'dark' | null
  readonly mailChoices: unknown
  readonly invoice: unknown
  readonly tips: readonly string[]
  readonly inviteCode: string | null
  readonly closedAt: Date | null
  readonly frozenAt: Date | null
  readonly frozenReason: string | null
  readonly frozenBy: string | null
}

export interface AccountViewsRow {
  readonly tokenHash: Buffer
  readonly id: string
  readonly userId: string
  readonly operatorId: string
  readonly reason: string
  readonly createdAt: Date
  readonly expiresAt: Date
}
