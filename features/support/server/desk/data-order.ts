import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { PRIORITIES } from '../../contract-desk.console.ts'
import type { Priority } from '../../contract-desk.console.ts'
import type { ConversationRow, ConversationState } from '../data.ts'

type SnoozeState = Pick<ConversationRow, 'state' | 'snoozedUntil'>

/** State for the inbox: after a snooze, a conversation is open again, whichever side wrote last. */
export function resolveInboxState({ state, snoozedUntil: until }: SnoozeState, now: Date): ConversationState | 'snoozed' {
  if (until === null) return state
  return until > now ? 'snoozed' : 'open'
}

export const toPriority = (rank: number): Priority => PRIORITIES[rank] ?? 'normal'

/** Returns undefined if the conversation is closed or missing. */
export async function snoozeConversation(
  sql: Sql,
  id: string,
  { until, by }: { readonly until: Date; readonly by: string },
): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>(`update support_conversations set snoozed_until = $2, snoozed_by = $3 where id = $1 and state <> 'closed' returning *`, [
      id,
      until,
      by,
    ]),
  )
}

/** Returns undefined if the conversation is not snoozed. */
export async function wakeConversation(sql: Sql, id: string): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>(
      `update support_conversations set snoozed_until = null, snoozed_by = null where id = $1 and snoozed_until is not null returning *`,
      [id],
    ),
  )
}

/** Returns undefined if it has that priority already. */
export async function setConversationPriority(sql: Sql, id: string, priority: Priority): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>('update support_conversations set priority = $2 where id = $1 and priority <> $2 returning *', [
      id,
      PRIORITIES.indexOf(priority),
    ]),
  )
}
