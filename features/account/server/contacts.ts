import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { maskPhone } from '../phone.ts'
import { findUser } from './data.ts'
import type { UserRow } from './data.ts'
import { toMobileTarget } from './target.ts'
import type { ContactTarget } from './target.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** Contacts of a user that can receive codes, the mobile first. An e-mail counts only once verified. */
export function listProvenTargets(user: UserRow): readonly ContactTarget[] {
  const email: ContactTarget[] = user.emailVerifiedAt ? [{ kind: 'email', subject: user.emailKey!, display: user.email! }] : []
  return user.mobile ? [toMobileTarget(user.mobile), ...email] : email
}

export async function requireUser(sql: Sql, userId: string): Promise<UserRow> {
  return (await findUser(sql, userId)) ?? fail('SESSION_EXPIRED')
}

/** 138****8000, w***g@x.cn. */
export function maskTarget({ kind, display }: ContactTarget): string {
  if (kind === 'mobile') return maskPhone(display)
  const [local = '', domain = ''] = display.split('@')
  return `${local.slice(0, 1)}***${local.length > 2 ? local.slice(-1) : ''}@${domain}`
}

/** Contacts of a user. `email` is the verified one, in the form that mail is sent to; `mobile` is E.164. */
export interface UserContact {
  readonly email: string | null
  readonly mobile: string | null
  readonly lang: Lang
}

/** Returns undefined if the user does not exist or the account is closed. */
export async function findContact(sql: Sql, userId: string): Promise<UserContact | undefined> {
  const user = await findUser(sql, userId)
  if (!user || user.status === 'deleted') return undefined
  return { email: user.emailVerifiedAt ? user.emailKey : null, mobile: user.mobile, lang: user.language ?? DEFAULT_LANG }
}

/** The user's contacts, which a password must not contain. */
export function listOwnContacts(user: UserRow): readonly string[] {
  return [user.emailKey, user.mobile].filter((one) => one !== null)
}
