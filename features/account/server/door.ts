import type { Sql } from '#platform/server/database/db.ts'
import { DEFAULT_CHOICES } from '../contract-profile.ts'
import type { MailChoices } from '../contract-profile.ts'
import { findPreferences } from './profile/data.ts'

export { findContact } from './contacts.ts'
export type { UserContact } from './contacts.ts'
export { computePersonDigests } from './contacts/person.ts'
export { resolveUserId } from './freezing/resolve-user-id.ts'
export { selectCallFreezes, selectFreezes, selectInactiveUsers, lockActive, arePayoutsFrozen } from './freezing/data.ts'
export { requirePayouts } from './freezing/money-out.ts'
export { isInGradualGroup } from './settings.ts'
export { requirePayPassword } from './pay-password/pay-password.ts'
export { selectInviteCode as inviteCodeOf } from './data.ts'
export { loadMaskedContacts, loadMaskedIdentities, loadSignUp, loadSignUps } from './sign-up.ts'
export type { SignUp } from './sign-up.ts'
export { hashPassword, passwordMatches } from './passwords/passwords.ts'
export { findPasswordWeakness } from './passwords/weak-passwords.ts'
export { endViews } from './sessions/data.ts'
export { openView } from './sessions/list-sessions.ts'
export { isSessionProven, requireProven } from './sessions/sessions.ts'

/** Mail choices of a user; check them before sending a mail that is not a reply to the user's own action. */
export async function loadMailChoices(sql: Sql, userId: string): Promise<MailChoices> {
  return { ...DEFAULT_CHOICES, ...(await findPreferences(sql, userId))?.mailChoices }
}
