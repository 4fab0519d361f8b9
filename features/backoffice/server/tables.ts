/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface BackofficeAlarmDeliveriesRow {
  readonly id: string
  readonly wayId: string
  readonly alarmId: string | null
  readonly kind: 'raised' | 'closed' | 'test'
  readonly body: string
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  readonly problem: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export interface BackofficeAlarmWaysRow {
  readonly id: string
  readonly operatorId: string
  readonly kind: 'mail' | 'sms' | 'webhook'
  readonly address: string
  readonly severity: 'minor' | 'serious' | 'critical'
  readonly waitMinutes: number
  readonly quietFrom: number | null
  readonly quietTo: number | null
  readonly secretSealed: Buffer | null
  readonly madeBy: string
  readonly madeAt: Date
  readonly endedAt: Date | null
}

export interface BackofficeAlarmsRow {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly severity: 'minor' | 'serious' | 'critical'
  readonly detail: string
  readonly source: 'state' | 'event'
  readonly raisedAt: Date
  readonly lastAt: Date
  readonly times: bigint
  readonly takenBy: string | null
  readonly takenAt: Date | null
  readonly closedAt: Date | null
}

export interface BackofficeAnswersRow {
  readonly questionId: bigint
  readonly operatorId: string
  readonly text: string
  readonly at: Date
}

export interface BackofficeBalancePointsRow {
  readonly source: string
  readonly currency: string
  readonly at: Date
  readonly amountNano: bigint
}

export interface BackofficeBalanceReadsRow {
  readonly source: string
  readonly lookedAt: Date
  readonly failingSince: Date | null
  readonly problem: string | null
}

export interface BackofficeBalancesRow {
  readonly source: string
  readonly currency: string
  readonly amountNano: bigint
  readonly readAt: Date
}

export interface BackofficeBulkRowsRow {
  readonly bulkId: string
  readonly position: number
  readonly unit: string
  readonly subject: string
  readonly input: unknown
  readonly amountNano: bigint | null
  readonly state: 'waiting' | 'done' | 'refused'
  readonly why: string | null
  readonly at: Date | null
}

export interface BackofficeBulksRow {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly reason: string
  readonly level: 'free' | 'reason' | 'stepUp' | 'second' | 'two'
  readonly terms: unknown
  readonly madeBy: string
  readonly madeAt: Date
  readonly rows: number
  readonly state: 'running' | 'stopped' | 'done'
  readonly endedAt: Date | null
}

export interface BackofficeCertificatesRow {
  readonly name: string
  readonly expiresAt: Date | null
  readonly issuer: string
  readonly lookedAt: Date
  readonly failingSince: Date | null
  readonly problem: string | null
}

export interface BackofficeChallengesRow {
  readonly id: string
  readonly challenge: string
  readonly purpose: 'signIn' | 'register' | 'stepUp'
  readonly operatorId: string | null
  readonly expiresAt: Date
}

export interface BackofficeCommandEdgesRow {
  readonly fromState: string
  readonly toState: string
}

export interface BackofficeCommandStepsRow {
  readonly id: bigint
  readonly commandId: bigint
  readonly state: string
  readonly at: Date
}

export interface BackofficeCommandsRow {
  readonly id: bigint
  readonly no: string
  readonly name: string
  readonly subject: string
  readonly input: unknown
  readonly reasonCode: string
  readonly reason: string
  readonly link: string | null
  readonly expects: Buffer
  readonly preview: unknown
  readonly level: 'free' | 'reason' | 'stepUp' | 'second' | 'two'
  readonly rulesVersion: number
  readonly needs: number
  readonly amountNano: bigint | null
  readonly via: 'session' | 'token' | 'breakGlass'
  readonly viaId: string
  readonly state: 'draft' | 'waiting' | 'approved' | 'done' | 'failed' | 'refused' | 'withdrawn' | 'expired'
  readonly askedBy: string
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly result: unknown
  readonly difference: unknown
  readonly undoOf: bigint | null
  readonly remindedAt: Date | null
  readonly reviewedBy: string | null
  readonly inputSealed: Buffer | null
}

export interface BackofficeCustomerNotesRow {
  readonly id: string
  readonly userId: string
  readonly text: string | null
  readonly pinned: boolean
  readonly madeBy: string
  readonly madeAt: Date
  readonly removedAt: Date | null
  readonly removedBy: string | null
}

export interface BackofficeDecisionsRow {
  readonly commandId: bigint
  readonly operatorId: string
  readonly verdict: 'approve' | 'refuse'
  readonly reason: string
  readonly at: Date
}

export interface BackofficeExportsRow {
  readonly id: string
  readonly path: string
  readonly filter: unknown
  readonly format: 'csv' | 'xlsx'
  readonly madeBy: string
  readonly madeAt: Date
  readonly state: 'waiting' | 'done' | 'failed'
  readonly rows: number
  readonly file: Buffer | null
  readonly endedAt: Date | null
}

export interface BackofficeInvitesRow {
  readonly tokenHash: Buffer
  readonly operatorId: string
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

export interface BackofficeLeasesRow {
  readonly item: string
  readonly operatorId: string
  readonly until: Date
}

export interface BackofficeOperatorsRow {
  readonly id: string
  readonly name: string
  readonly mail: string
  readonly roles: readonly string[]
  readonly status: 'invited' | 'active' | 'suspended'
  readonly passwordHash: string | null
  readonly totpSealed: Buffer | null
  readonly totpCounter: bigint
  readonly createdAt: Date
  readonly createdBy: string
}

export interface BackofficePasskeysRow {
  readonly id: string
  readonly operatorId: string
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface BackofficeQuestionsRow {
  readonly id: bigint
  readonly commandId: bigint
  readonly operatorId: string
  readonly text: string
  readonly at: Date
}

export interface BackofficeRecoveryRow {
  readonly operatorId: string
  readonly codeHash: Buffer
  readonly usedAt: Date | null
}

export interface BackofficeRevealsRow {
  readonly id: bigint
  readonly operatorId: string
  readonly userId: string
  readonly what: 'email' | 'mobile' | 'account'
  readonly reason: string
  readonly at: Date
}

export interface BackofficeRulesRow {
  readonly version: number
  readonly rules: unknown
  readonly operatorId: string
  readonly at: Date
}

export interface BackofficeSessionsRow {
  readonly id: string
  readonly tokenHash: Buffer
  readonly operatorId: string
  readonly method: 'passkey' | 'totp' | 'recovery'
  readonly ip: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly provenAt: Date
}

export interface BackofficeTokensRow {
  readonly id: string
  readonly tokenHash: Buffer
  readonly operatorId: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}
