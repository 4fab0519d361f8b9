/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface ProxyCodesRow {
  readonly codeHash: Buffer
  readonly userId: string
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

export interface ProxyExtensionsRow {
  readonly id: string
  readonly userId: string
  readonly tokenHash: Buffer
  readonly name: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly endedAt: Date | null
}

export interface ProxyNodesRow {
  readonly id: string
  readonly seenAt: Date
  readonly tunnels: number
}

export interface ProxySharesRow {
  readonly useId: string
  readonly nodeId: string
  readonly tunnels: number
  readonly seenAt: Date
}

export interface ProxyUsesRow {
  readonly id: string
  readonly userId: string
  readonly purpose: 'proxy' | 'remote' | 'browser'
  readonly ref: string
  readonly username: string
  readonly passwordHash: Buffer
  readonly passwordSealed: Buffer | null
  readonly exitId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly upBytes: bigint
  readonly downBytes: bigint
  readonly tunnels: bigint
  readonly refused: bigint
  readonly lastUsedAt: Date | null
  readonly refusals: unknown
  readonly countedSince: Date | null
}
