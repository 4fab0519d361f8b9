import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { normalizeEmail } from '../../contract.ts'
import { selectUserId } from './data.ts'

/** Resolves a user that an operator entered as mail, mobile with country code (+8613800138000) or id. Throws NOT_FOUND. */
export async function resolveUserId(sql: Sql, name: string): Promise<string> {
  const found = await selectUserId(
    sql,
    name.includes('@') ? { kind: 'email', subject: normalizeEmail(name) } : name.startsWith('+') ? { kind: 'mobile', subject: name } : { id: name },
  )
  return found ?? fail('NOT_FOUND')
}
