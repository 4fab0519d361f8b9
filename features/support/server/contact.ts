import type { Sql } from '#platform/server/database/db.ts'
import { findContact } from '#features/account/server/door.ts'

export interface SupportContact {
  readonly userId: string
  readonly email: string | undefined
  /** E.164. */
  readonly mobile: string | undefined
}

/** How to reach a user; undefined when there is no such account any more. */
export async function findSupportContact(sql: Sql, userId: string): Promise<SupportContact | undefined> {
  const contact = await findContact(sql, userId)
  return contact ? { userId, email: contact.email ?? undefined, mobile: contact.mobile ?? undefined } : undefined
}
