/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface RegistrationSandboxRow {
  readonly ref: string
  readonly key: string
  readonly account: string
  readonly state: 'working' | 'done' | 'failed' | 'cancelled'
  readonly reason: string
  readonly lost: boolean
  readonly createdAt: Date
}

export interface RegistrationSecretsRow {
  readonly taskId: string
  readonly userId: string
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly forgetAt: Date | null
}
