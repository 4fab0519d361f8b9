import type { Sql } from '#platform/server/database/db.ts'
import { findContact } from '#features/account/server/door.ts'

export interface SupportContact {
  readonly userId: string
  readonly email: string | undefined
  /** E.164. */
  readonly mobile: string | undefined
}

/** Contact of a user; undefined if the account no longer exists. */
export async function findSupportContact(sql: Sql, userId: string): Promise<SupportContact | undefined> {
  const contact = await findContact(sql, userId)
  return contact ? { userId, email: contact.email ?? undefined, mobile: contact.mobile ?? undefined } : undefined
}
