import type { Ctx } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import { toIpSubject, requireAllowed, requireUnblocked } from '#features/risk/server/door.ts'
import { email as emailSchema } from '../../contract.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findAccountByTarget } from '../data.ts'
import { consumeOAuthState } from '../sessions/data.ts'
import { resolveGoogleAccount } from './google-account.ts'
import { parseOAuthState } from './google-state.ts'
import { googlePerIpHour, computeSessionEnd } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { hashToken } from '../sessions/tokens.ts'
import { chooseSignInVendor } from '../vendors/index.ts'
import type { SignInPerson } from '../vendors/port.ts'

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
