import type { Sql } from '#platform/server/database/db.ts'
import { selectRelation } from '../data.ts'

/** The user's inviter; undefined if there is none. */
export async function findInviter(sql: Sql, userId: string): Promise<string | undefined> {
  return (await selectRelation(sql, userId))?.inviterId
}
