import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { normalizeEmail, shortLine } from '../../contract.ts'
import { requireUser } from '../contacts.ts'
import { claimIdentity, countIdentities, findAccountByTarget, markVerified, releaseUnprovenEmail, setPassword } from '../data.ts'
import type { AccountRow, NewIdentity } from '../data.ts'
import { deletePayPassword } from '../pay-password/data.ts'
import { endSessionsExcept } from '../sessions/data.ts'
import { createUser } from './new-user.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import type { SignInPerson } from '../vendors/port.ts'

interface ResolvedAccount {
  readonly userId: string
  readonly created: boolean
}
type Refusal = 'GOOGLE_FAILED' | 'ACCOUNT_FROZEN'

/**
 * Finds or creates the account of a Google account: the linked one, else the one with the same verified e-mail, else a new one. An unverified
 * e-mail does not count as its user's (money.md A7, pre-hijack): see `claimUnproven`.
 */
export async function resolveGoogleAccount(
  ctx: Ctx,
  tx: Tx,
  { person, inviteCode }: { readonly person: SignInPerson; readonly inviteCode: string | undefined },
): Promise<ResolvedAccount | Refusal> {
  const google: NewIdentity = { kind: 'google', subject: person.subject, display: person.email }
  const known = await findAccountByTarget(tx, google)
  if (known) return checkActive(known)
  const email: NewIdentity = { kind: 'email', subject: normalizeEmail(person.email), display: person.email }
  const owner = await findAccountByTarget(tx, email)
  const joined = owner && (owner.verifiedAt ? owner : await claimUnproven(ctx, tx, { account: owner, email }))
  if (joined) return linkGoogle(ctx, tx, { account: joined, google })
  const name = shortLine.safeParse([...person.name].slice(0, 50).join(''))
  const userId = await createUser(ctx, tx, { identities: [google, email], inviteCode, ...(name.success ? { name: name.data } : {}) })
  if (userId) return { userId, created: true }
  // the same user signed in twice in parallel; the other request created the account
  const other = await findAccountByTarget(tx, google)
  return other ? checkActive(other) : 'GOOGLE_FAILED'
}

function checkActive(account: AccountRow): ResolvedAccount | Refusal {
  return account.status === 'active' ? { userId: account.userId, created: false } : 'ACCOUNT_FROZEN'
}

/** Links Google to an account with the same verified mailbox, and notifies that mailbox. An account has at most one Google account. */
async function linkGoogle(
  ctx: Ctx,
  tx: Tx,
  { account, google }: { readonly account: AccountRow; readonly google: NewIdentity },
): Promise<ResolvedAccount | Refusal> {
  if (account.status !== 'active') return 'ACCOUNT_FROZEN'
  const user = await requireUser(tx, account.userId)
  if (!(await claimIdentity(tx, user.id, { identity: google, now: ctx.clock.now() }))) {
    const other = await findAccountByTarget(tx, google)
    return other?.userId === user.id ? checkActive(other) : 'GOOGLE_FAILED'
  }
  await tx.audit('account.google-linked', `user:${user.id}`, { ip: ctx.ip })
  await notifyAccountChange(ctx, tx, { before: user, change: 'google' })
  return checkActive(account)
}

/**
 * Resolves an unverified e-mail whose owner now signs in with Google. If the account has another sign-in method, the e-mail is removed from it
 * and the owner gets a new account (undefined). Otherwise the account is joined, but everything that a previous user could know is dropped:
 * password, payment password, sessions; `user.secrets-dropped` notifies the features that store keys.
 */
async function claimUnproven(
  ctx: Ctx,
  tx: Tx,
  { account, email }: { readonly account: AccountRow; readonly email: NewIdentity },
): Promise<AccountRow | undefined> {
  if ((await countIdentities(tx, account.userId)) > 1) {
    await releaseUnprovenEmail(tx, account.userId)
    await tx.audit('account.unproven-email-released', `user:${account.userId}`, { ip: ctx.ip })
    return undefined
  }
  const now = ctx.clock.now()
  await setPassword(tx, account.userId, { passwordHash: null, now })
  await deletePayPassword(tx, account.userId)
  const ended = await endSessionsExcept(tx, account.userId, '')
  await markVerified(tx, { kind: 'email', subject: email.subject }, now)
  await tx.audit('account.secrets-dropped', `user:${account.userId}`, { ended, ip: ctx.ip })
  await tx.emit('user.secrets-dropped', { userId: account.userId })
  return account
}
