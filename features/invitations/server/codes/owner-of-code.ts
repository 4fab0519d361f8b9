import type { Sql } from '#platform/server/database/db.ts'
import { plainCode } from '../../words.ts'
import { codeNamed } from '../data.ts'

/** The owner of a code; undefined if it does not exist. */
export async function ownerOfCode(sql: Sql, code: string): Promise<string | undefined> {
  return (await codeNamed(sql, plainCode(code)))?.user_id
}
