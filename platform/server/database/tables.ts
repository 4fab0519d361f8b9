/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface AuditChainRow {
  readonly seq: bigint
  readonly auditId: bigint
  readonly hash: Buffer
}

export interface AuditChainStartRow {
  readonly auditId: bigint
}

export interface AuditRowsRow {
  readonly id: bigint
  readonly at: Date
  readonly actorKind: 'user' | 'operator' | 'channel' | 'system' | 'anonymous'
  readonly actorId: string
  readonly action: string
  readonly target: string
  readonly data: unknown
}

export interface IdempotencyKeysRow {
  readonly actor: string
  readonly key: string
  readonly route: string
  readonly bodyHash: Buffer
  readonly status: number | null
  readonly reply: unknown
  readonly createdAt: Date
}

export interface MigrationsRow {
  readonly name: string
  readonly hash: string
  readonly appliedAt: Date
}

export interface OutboxRow {
  readonly id: bigint
  readonly event: string
  readonly payload: unknown
  readonly createdAt: Date
  readonly deliveredAt: Date | null
}

export interface ProcessBeatsRow {
  readonly name: string
  readonly roles: readonly string[]
  readonly beatAt: Date
}

export interface SettingsRow {
  readonly key: string
  readonly value: unknown
  readonly updatedAt: Date
  readonly updatedBy: string
}

export interface SettingsHistoryRow {
  readonly id: bigint
  readonly key: string
  readonly value: unknown
  readonly at: Date
  readonly by: string
}

export interface SupplierFaultsRow {
  readonly id: bigint
  readonly port: string
  readonly operation: string
  readonly fault: 'reject' | 'fail' | 'stall' | 'late'
  readonly onlyFor: string
  readonly reason: string
  readonly times: number | null
  readonly seconds: number
  readonly createdAt: Date
}

export interface SupplierWaitsRow {
  readonly subject: string
  readonly port: string
  readonly supplier: string
  readonly operation: string
  readonly kind: 'retryable' | 'unknown'
  readonly reason: string
  readonly detail: string
  readonly tries: number
  readonly since: Date
  readonly finalAt: Date | null
  readonly workAt: Date | null
}
