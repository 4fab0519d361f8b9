/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */
import type { Lang } from '#platform/shared/languages.ts'

export interface SupportComplaintsRow {
  readonly id: string
  readonly userId: string | null
  readonly email: string
  readonly content: string
  readonly orderNo: string | null
  readonly lang: Lang
  readonly state: 'open' | 'closed'
  readonly createdAt: Date
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly closedAt: Date | null
}

export interface SupportConversationsRow {
  readonly id: string
  readonly userId: string | null
  readonly visitorId: string | null
  readonly visitorEmail: string | null
  readonly startId: string
  readonly startHash: Buffer
  readonly lang: Lang
  readonly topic: string
  readonly orderNo: string | null
  readonly state: 'open' | 'waiting' | 'closed'
  readonly lastSeq: number
  readonly version: number
  readonly userReadSeq: number
  readonly operatorReadSeq: number
  readonly userMailAt: Date | null
  readonly userMailedAt: Date | null
  readonly userMailedSeq: number
  readonly operatorMailAt: Date | null
  readonly operatorMailedAt: Date | null
  readonly operatorMailedSeq: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly priority: number
  readonly snoozedUntil: Date | null
  readonly snoozedBy: string | null
}

export interface SupportMessagesRow {
  readonly conversationId: string
  readonly seq: number
  readonly author: 'user' | 'operator' | 'system'
  readonly clientId: string | null
  readonly operatorId: string | null
  readonly event: 'order' | 'closed' | 'reopened' | null
  readonly detail: string
  readonly text: string
  readonly at: Date
}
