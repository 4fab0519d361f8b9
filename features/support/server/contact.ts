import type { Sql } from '#platform/server/database/db.ts'
import { contactOf } from '#features/account/server/door.ts'

export interface Contact {
  readonly userId: string
  readonly email: string | undefined
  /** E.164. */
  readonly mobile: string | undefined
}

/** How to reach a user; undefined when there is no such account any more. */
export async function contactOfUser(sql: Sql, userId: string): Promise<Contact | undefined> {
  const contact = await contactOf(sql, userId)
  return contact ? { userId, email: contact.email ?? undefined, mobile: contact.mobile ?? undefined } : undefined
}
