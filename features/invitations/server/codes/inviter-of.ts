import type { Sql } from '#platform/server/database/db.ts'
import { relationOf } from '../data.ts'

/** The user's inviter; undefined if there is none. */
export async function inviterOf(sql: Sql, userId: string): Promise<string | undefined> {
  return (await relationOf(sql, userId))?.inviter_id
}
