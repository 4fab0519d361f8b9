import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { maskedDisplay } from './contacts.ts'
import { selectContacts, selectSignUps } from './data-sign-up.ts'
import type { SignUp } from './data-sign-up.ts'
import { mobileTarget } from './target.ts'

export type { SignUp }

/** How a user came, for those who look for made-up accounts. Undefined when there is none. */
export async function signUpOf(sql: Sql, userId: string): Promise<SignUp | undefined> {
  return first(await selectSignUps(sql, [userId]))
}

/** The same of many; whoever is unknown is missing. */
export async function signUpsOf(sql: Sql, userIds: readonly string[]): Promise<readonly SignUp[]> {
  return selectSignUps(sql, userIds)
}

/** 138****8000 or w***g@x.cn of each user: the mobile first. Whoever has neither is missing. */
export async function maskedContactsOf(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await selectContacts(sql, userIds)
  return new Map(
    rows.map(({ id, email, mobile }) => [id, maskedDisplay(mobile ? mobileTarget(mobile) : { kind: 'email', subject: email!, display: email! })] as const),
  )
}

/** Both ways to reach a user, masked; null for one that there is not. */
export async function maskedWaysOf(sql: Sql, userId: string): Promise<{ email: string | null; mobile: string | null }> {
  const { email = null, mobile = null } = first(await selectContacts(sql, [userId])) ?? {}
  return {
    email: email === null ? null : maskedDisplay({ kind: 'email', subject: email, display: email }),
    mobile: mobile === null ? null : maskedDisplay(mobileTarget(mobile)),
  }
}
