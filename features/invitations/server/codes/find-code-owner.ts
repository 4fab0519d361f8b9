import type { Sql } from '#platform/server/database/db.ts'
import { normalizeInviteCode } from '../../words.ts'
import { selectCode } from '../data.ts'

/** The owner of a code; undefined if it does not exist. */
export async function findCodeOwner(sql: Sql, code: string): Promise<string | undefined> {
  return (await selectCode(sql, normalizeInviteCode(code)))?.userId
}
