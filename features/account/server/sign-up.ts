import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { maskTarget } from './contacts.ts'
import { selectContacts, selectSignUps } from './data.ts'
import type { SignUp } from './data.ts'
import { toMobileTarget } from './target.ts'

export type { SignUp }

/** Sign-up data of a user, for fraud checks; undefined for an unknown user. */
export async function loadSignUp(sql: Sql, userId: string): Promise<SignUp | undefined> {
  return first(await selectSignUps(sql, [userId]))
}

/** Sign-up data of many users; unknown users are missing. */
export async function loadSignUps(sql: Sql, userIds: readonly string[]): Promise<readonly SignUp[]> {
  return selectSignUps(sql, userIds)
}

/** Masked contact of each user: 138****8000, else w***g@x.cn. Users without a contact are missing. */
export async function loadMaskedContacts(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await selectContacts(sql, userIds)
  return new Map(
    rows.map(({ id, email, mobile }) => [id, maskTarget(mobile ? toMobileTarget(mobile) : { kind: 'email', subject: email!, display: email! })] as const),
  )
}

/** Masked e-mail and mobile of a user; null if there is none. */
export async function loadMaskedIdentities(sql: Sql, userId: string): Promise<{ email: string | null; mobile: string | null }> {
  const { email = null, mobile = null } = first(await selectContacts(sql, [userId])) ?? {}
  return {
    email: email === null ? null : maskTarget({ kind: 'email', subject: email, display: email }),
    mobile: mobile === null ? null : maskTarget(toMobileTarget(mobile)),
  }
}
