import type { Sql } from '#platform/server/database/db.ts'
import { DEFAULT_CHOICES } from '../contract-profile.ts'
import type { MailChoices } from '../contract-profile.ts'
import { findPreferences } from './profile/data.ts'

export { contactOf } from './contacts.ts'
export type { Contact } from './contacts.ts'
export { personDigests } from './contacts/person.ts'
export { userIdOf } from './freezing/name-user.ts'
export { callsFrozenAmong, freezesOf, inactiveAmong, lockActive, payoutsFrozen } from './freezing/data.ts'
export { requirePayouts } from './freezing/money-out.ts'
export { inGradualGroup } from './gradual.ts'
export { requirePayPassword } from './pay-password/pay-password.ts'
export { selectInviteCode as inviteCodeOf } from './data-sign-up.ts'
export { maskedContactsOf, maskedWaysOf, signUpOf, signUpsOf } from './sign-up.ts'
export type { SignUp } from './sign-up.ts'
export { hashPassword, passwordMatches } from './passwords/passwords.ts'
export { weaknessOf } from './passwords/weak-passwords.ts'
export { endViews } from './sessions/data-views.ts'
export { openView } from './sessions/view-as.ts'
export { isProven, requireProven } from './sessions/sessions.ts'

/** Which mails a user wants; ask before sending one that is not an answer to the user's own action. */
export async function mailChoicesOf(sql: Sql, userId: string): Promise<MailChoices> {
  return { ...DEFAULT_CHOICES, ...(await findPreferences(sql, userId))?.mail_choices }
}
