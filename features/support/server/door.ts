import type { Sql } from '#platform/server/database/db.ts'
import { forgetUser, recordsOf } from './data-records.ts'

export { answerConversation } from './desk/answer-conversation.ts'
export type { Answer } from './desk/answer-conversation.ts'
export { closeConversation } from './desk/close-conversation.ts'
export { listConversations, openConversation } from './desk/list-conversations.ts'
export type { DeskConversation } from './desk/list-conversations.ts'

/** What support holds of a user, for their data export: conversations with every message, and complaints; oldest first. */
export function exportOf(sql: Sql, userId: string): Promise<{ conversations: unknown[]; complaints: unknown[] }> {
  return recordsOf(sql, userId)
}

/** For a closed account: conversations go, complaints stay without the person. Run it in the closing transaction or after; twice is once. */
export function eraseOf(sql: Sql, userId: string): Promise<void> {
  return forgetUser(sql, userId)
}

/** Whether an action of /features.yaml is on for a user, for what is not a call of its own. */
export { isOn as actionIsOn } from './features-route.ts'
