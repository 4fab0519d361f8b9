/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface MailboxBoxesRow {
  readonly taskId: string
  readonly userId: string
  readonly address: string
  readonly passwordHash: string | null
  readonly failures: number
  readonly lockedUntil: Date | null
  readonly version: number
  readonly mails: number
  readonly bytes: bigint
  readonly createdAt: Date
  readonly wipedAt: Date | null
  readonly released: boolean
}

export interface MailboxFilesRow {
  readonly id: string
  readonly messageId: string
  readonly userId: string
  readonly place: number
  readonly bytes: number
  readonly name: Buffer
  readonly sealed: Buffer
}

export interface MailboxKeysRow {
  readonly userId: string
  readonly sealedKey: Buffer
}

export interface MailboxMessagesRow {
  readonly id: string
  readonly taskId: string
  readonly userId: string
  readonly digest: Buffer
  readonly bytes: number
  readonly receivedAt: Date
  readonly readAt: Date | null
  readonly sealed: Buffer
}

export interface MailboxOpeningsRow {
  readonly taskId: string
  readonly sessionId: string
  readonly until: Date
}

export interface MailboxReceiversRow {
  readonly node: string
  readonly port: number
  readonly seenAt: Date
}
