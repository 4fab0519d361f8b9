import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { selectMessagesAfter } from '../data.ts'
import type { HeadRow, MessageRow, ConversationState } from '../data.ts'
import { findAny, listAll, markSeenByDesk } from './data.ts'

/** A conversation as operators see it. `from`: user id, or the visitor's e-mail. */
export interface DeskConversation {
  readonly id: string
  readonly from: string
  readonly signedIn: boolean
  readonly topic: string
  readonly orderNo: string | null
  readonly state: ConversationState
  readonly preview: string
  readonly lastSeq: number
  /** Open, with messages of the user that no operator has seen. */
  readonly isNew: boolean
  readonly updatedAt: Date
}

const buildView = (row: HeadRow): DeskConversation => ({
  id: row.id,
  from: row.userId ?? row.visitorEmail ?? '',
  signedIn: row.userId !== null,
  topic: row.topic,
  orderNo: row.orderNo,
  state: row.state,
  preview: row.preview ?? '',
  lastSeq: row.lastSeq,
  isNew: row.operatorReadSeq < row.lastSeq && row.state === 'open',
  updatedAt: row.updatedAt,
})

/** Newest first, at most 100 at once; continue with `before`, the `updatedAt` of the last one. */
export async function listConversations(sql: Sql, wish: { state?: ConversationState; before?: Date; limit?: number } = {}): Promise<DeskConversation[]> {
  return (await listAll(sql, { state: wish.state, before: wish.before, limit: Math.min(wish.limit ?? 50, 100) })).map(buildView)
}

/** One conversation with its newest thousand messages, oldest first; opening it shows the user that it was seen. NOT_FOUND. */
export async function openConversation(sql: Sql, id: string): Promise<DeskConversation & { readonly messages: readonly MessageRow[] }> {
  const head = (await findAny(sql, id)) ?? fail('NOT_FOUND')
  await markSeenByDesk(sql, id)
  return { ...buildView(head), messages: await selectMessagesAfter(sql, id, { seq: Math.max(0, head.lastSeq - 1000), limit: 1000 }) }
}
