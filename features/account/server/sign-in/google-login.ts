import type { Ctx } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact, type Tx } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import { toIpSubject, requireAllowed, requireUnblocked } from '#features/risk/server/door.ts'
import { email as emailSchema, type accountContract, type LoginReply, normalizeEmail, shortLine } from '../../contract.ts'
import {
  findAccountByTarget,
  claimIdentity,
  countIdentities,
  markVerified,
  releaseUnprovenEmail,
  setPassword,
  type AccountRow,
  type NewIdentity,
} from '../data.ts'
import { consumeOAuthState, endSessionsExcept } from '../sessions/data.ts'
import { googlePerIpHour, computeSessionEnd } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { hashToken, computeKeyedHash } from '../sessions/tokens.ts'
import { chooseSignInVendor } from '../vendors/index.ts'
import type { SignInPerson } from '../vendors/port.ts'
import { randomBytes } from 'node:crypto'
import { findSealingKey } from '#platform/server/sealing/seal.ts'
import { requireUser } from '../contacts.ts'
import { deletePayPassword } from '../pay-password/data.ts'
import { createUser } from './register.ts'
import { notifyAccountChange } from '../history/notify-change.ts'

const LIVE_MS = 600_000

interface OAuthState {
  readonly state: string
  readonly nonce: string
  readonly expiresAt: Date
}

const computeNonce = (secretKey: Buffer, seed: string) => computeKeyedHash(secretKey, 'account.google.nonce', seed).toString('base64url')
const computeMac = (secretKey: Buffer, seed: string) => computeKeyedHash(secretKey, 'account.google.state', seed).toString('base64url')

/** Creates an unforgeable state and its nonce; nothing is stored until the state is used. */
function createOAuthState(secretKey: Buffer, now: Date): OAuthState {
  const expiresAt = new Date(now.getTime() + LIVE_MS)
  const seed = `${randomBytes(18).toString('base64url')}.${expiresAt.getTime().toString(36)}`
  return { state: `${seed}.${computeMac(secretKey, seed)}`, nonce: computeNonce(secretKey, seed), expiresAt }
}

/** Returns undefined for a forged or expired state. `consumeOAuthState` ensures single use. */
function parseOAuthState(secretKeys: readonly Buffer[], state: string, now: Date): OAuthState | undefined {
  const [random = '', end = '', mac = '', ...more] = state.split('.')
  const seed = `${random}.${end}`
  const key = findSealingKey(secretKeys, Buffer.from(mac), (one) => Buffer.from(computeMac(one, seed)))
  if (more.length || !key) return undefined
  const expiresAt = new Date(Number.parseInt(end, 36))
  return expiresAt > now ? { state, nonce: computeNonce(key, seed), expiresAt } : undefined
}

/** Creates a state, its nonce and the URL of the consent page. */
export async function googleStart(ctx: Ctx): Promise<ReplyOf<typeof accountContract.googleStart>> {
  const vendor = chooseSignInVendor(ctx) ?? fail('GOOGLE_FAILED')
  await requireAllowed(ctx.db, 'account.google.start', {
    subject: toIpSubject(ctx.ip),
    limit: await ctx.settings.get(googlePerIpHour),
    windowSeconds: 3600,
    now: ctx.clock.now(),
  })
  const { state, nonce } = createOAuthState(ctx.secretKey, ctx.clock.now())
  return { state, nonce, authorizeUrl: vendor.authorizeUrl({ state, nonce }) }
}

type GoogleLogin = InputOf<typeof accountContract.googleLogin>

/**
 * Signs in with Google; an unknown person gets an account. The state must be ours, fresh and unused, the ID token must carry its nonce, and
 * Google must have verified the mailbox (money.md A7). Every failure returns the same error.
 */
export async function googleLogin(ctx: Ctx, input: GoogleLogin): Promise<LoginReply> {
  await requireAllowed(ctx.db, 'account.google.login', {
    subject: toIpSubject(ctx.ip),
    limit: await ctx.settings.get(googlePerIpHour),
    windowSeconds: 3600,
    now: ctx.clock.now(),
  })
  const person = (await verifyGooglePerson(ctx, input)) ?? refuseGoogleLogin(ctx)
  const isKnown = (await findAccountByTarget(ctx.db, { kind: 'google', subject: person.subject })) !== undefined
  // an existing account keeps working if its domain is blocked later
  await requireUnblocked(ctx, isKnown ? undefined : person.email)
  const expiresAt = await computeSessionEnd(ctx)
  // audited by signIn; anybody may: Google's word is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx) => {
    const account = await resolveGoogleAccount(ctx, tx, { person, inviteCode: input.inviteCode })
    if (typeof account === 'string') return account
    return completeSignIn(ctx, tx, { userId: account.userId, by: account.created ? 'register' : 'google', expiresAt })
  })
  return typeof outcome === 'string' ? fail(outcome, { email: ctx.config.SUPPORT_EMAIL }) : outcome
}

async function verifyGooglePerson(ctx: Ctx, { state, clientId, idToken, accessToken }: GoogleLogin): Promise<SignInPerson | undefined> {
  const vendor = chooseSignInVendor(ctx)
  const asked = parseOAuthState(ctx.secretKeys, state, ctx.clock.now())
  if (!vendor || !asked || clientId !== vendor.clientId) return undefined
  if (!(await consumeOAuthState(ctx.db, hashToken(state), asked.expiresAt))) return undefined
  const person = await vendor.personOf({ idToken, accessToken, nonce: asked.nonce }).catch((error: unknown) => {
    const { kind, message } = asSupplierError(error)
    ctx.log.warn({ why: message }, 'Google returned no verified identity')
    return kind === 'rejected' ? undefined : fail('UNAVAILABLE')
  })
  const email = emailSchema.safeParse(person?.email)
  return person?.emailVerified && email.success ? { ...person, email: email.data } : undefined
}

function refuseGoogleLogin(ctx: Ctx): never {
  countEvent('google_refused')
  ctx.log.info({ ip: ctx.ip }, 'a sign-in with Google was refused')
  return fail('GOOGLE_FAILED')
}

interface ResolvedAccount {
  readonly userId: string
  readonly created: boolean
}
type Refusal = 'GOOGLE_FAILED' | 'ACCOUNT_FROZEN'

/**
 * Finds or creates the account of a Google account: the linked one, else the one with the same verified e-mail, else a new one. An unverified
 * e-mail does not count as its user's (money.md A7, pre-hijack): see `claimUnproven`.
 */
async function resolveGoogleAccount(
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
