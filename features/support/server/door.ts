import type { Sql } from '#platform/server/database/db.ts'
import { deleteUserConversations, selectUserRecords } from './data.ts'

export { answerConversation } from './desk/conversations.ts'
export type { OperatorAnswer } from './desk/conversations.ts'
export { closeConversation } from './desk/conversations.ts'
export { listConversations, openConversation } from './desk/conversations.ts'
export type { DeskConversation } from './desk/conversations.ts'

/** A user's conversations with all messages, and complaints, oldest first; for their data export. */
export function exportSupportRecords(sql: Sql, userId: string): Promise<{ conversations: unknown[]; complaints: unknown[] }> {
  return selectUserRecords(sql, userId)
}

/** Deletes the conversations of a closed account and anonymizes its complaints. Run it in the closing transaction or later; idempotent. */
export function eraseSupportRecords(sql: Sql, userId: string): Promise<void> {
  return deleteUserConversations(sql, userId)
}

/** Checks if a flag of /features.yaml is on for a user; for actions that have no endpoint of their own. */
export { isFlagOn as actionIsOn } from './features-route.ts'
