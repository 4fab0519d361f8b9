import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { findTotpCounter, createRecoveryCodes, createTotpSecret, hashRecoveryCode, buildTotpUri } from '#platform/server/proof/one-time.ts'
import { createRegistrationChallenge, createSignInChallenge, CHALLENGE_MS, verifyPasskey, verifyNewPasskey } from '#platform/server/proof/passkey.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { requireAllowed } from '#features/risk/server/door.ts'
import type { factorsContract } from '../../contract-factors.ts'
import { maskTarget, listProvenTargets, requireUser } from '../contacts.ts'
import { requireProven } from '../sessions/sessions.ts'
import * as data from './data.ts'

type C = typeof factorsContract
/** Key purpose that seals the authenticators' secrets. */
export const ACCOUNT_TOTP_PURPOSE = 'account.totp'
const WINDOW_SECONDS = 900
const MAX_ATTEMPTS = 10

export async function readFactors({ db, userId }: Ctx): Promise<ReplyOf<C['factors']>> {
  const [authenticator, passkeys, left] = await Promise.all([
    data.findAuthenticator(db, userId),
    data.selectPasskeys(db, userId),
    data.countUserRecoveryCodes(db, userId),
  ])
  return {
    authenticatorSince: authenticator?.confirmedAt?.toISOString() ?? null,
    recoveryLeft: left,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    })),
  }
}

/** Label of the user in authenticator apps and passkey lists. */
async function readUserLabel({ db, userId }: Ctx): Promise<string> {
  const [contact] = listProvenTargets(await requireUser(db, userId))
  return contact ? maskTarget(contact) : userId
}

export async function startAuthenticator(ctx: Ctx): Promise<ReplyOf<C['startAuthenticator']>> {
  await requireProven(ctx)
  const secret = createTotpSecret()
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (
      !(await data.storeAuthenticatorSecret(tx, ctx.userId, {
        sealed: seal(ctx.secretKey, ACCOUNT_TOTP_PURPOSE, { owner: ctx.userId, text: secret }),
        now: ctx.clock.now(),
      }))
    )
      fail('FACTOR_EXISTS')
    await tx.audit('account.authenticator-started', `user:${ctx.userId}`, { ip: ctx.ip })
  })
  return { secret, uri: buildTotpUri(ctx.config.BRAND_NAME, await readUserLabel(ctx), secret) }
}

export async function confirmAuthenticator(ctx: Ctx, { code }: InputOf<C['confirmAuthenticator']>): Promise<ReplyOf<C['confirmAuthenticator']>> {
  await requireProven(ctx)
  await countAttempt(ctx)
  const recoveryCodes = await transact(ctx.db, ctx.actor, async (tx) => {
    const row = await data.findAuthenticator(tx, ctx.userId)
    const now = ctx.clock.now()
    const counter = row && findTotpCounter(unseal(ctx.secretKeys, ACCOUNT_TOTP_PURPOSE, { owner: ctx.userId, sealed: row.sealed }), code, now)
    if (counter === undefined || !(await data.confirmAuthenticator(tx, ctx.userId, { counter, now }))) return undefined
    await tx.audit('account.authenticator-added', `user:${ctx.userId}`, { ip: ctx.ip, userAgent: ctx.userAgent })
    return issueRecoveryCodes(ctx, tx)
  })
  return { recoveryCodes: recoveryCodes ?? fail('CODE_WRONG') }
}

/** Creates recovery codes if the user has none; a second factor adds no second set. */
async function issueRecoveryCodes(ctx: Ctx, tx: Tx): Promise<string[]> {
  if (await data.countUserRecoveryCodes(tx, ctx.userId)) return []
  const codes = createRecoveryCodes()
  await data.replaceUserRecoveryCodes(tx, ctx.userId, codes.map(hashRecoveryCode))
  return codes
}

/** Deletes the recovery codes once no factor is left that they could replace. */
async function dropRecoveryCodes(ctx: Ctx, tx: Tx): Promise<void> {
  if (!(await data.hasFactor(tx, ctx.userId))) await data.replaceUserRecoveryCodes(tx, ctx.userId, [])
}

export async function removeAuthenticator(ctx: Ctx): Promise<{}> {
  await requireProven(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await data.deleteAuthenticator(tx, ctx.userId))) fail('NOT_FOUND')
    await dropRecoveryCodes(ctx, tx)
    await tx.audit('account.authenticator-removed', `user:${ctx.userId}`, { ip: ctx.ip, userAgent: ctx.userAgent })
  })
  return {}
}

export async function renewUserRecoveryCodes(ctx: Ctx): Promise<ReplyOf<C['renewRecovery']>> {
  await requireProven(ctx)
  const recoveryCodes = createRecoveryCodes()
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await data.hasFactor(tx, ctx.userId))) fail('NOT_FOUND')
    await data.replaceUserRecoveryCodes(tx, ctx.userId, recoveryCodes.map(hashRecoveryCode))
    await tx.audit('account.recovery-renewed', `user:${ctx.userId}`, { ip: ctx.ip, userAgent: ctx.userAgent })
  })
  return { recoveryCodes }
}

async function storeChallenge({ db, clock, userId }: Ctx, challenge: string, purpose: 'register' | 'stepUp'): Promise<string> {
  const now = clock.now().getTime()
  const id = createId('chl', now)
  await data.insertChallenge(db, { id, challenge, purpose, userId, expiresAt: new Date(now + CHALLENGE_MS) })
  return id
}

export async function createUserPasskeyOptions(ctx: Ctx): Promise<ReplyOf<C['passkeyOptions']>> {
  await requireProven(ctx)
  const name = await readUserLabel(ctx)
  const owner = { id: ctx.userId, name, displayName: name }
  const { challenge, options } = await createRegistrationChallenge(new URL(ctx.siteUrl()), ctx.config.BRAND_NAME, {
    owner,
    known: await data.selectPasskeys(ctx.db, ctx.userId),
  })
  return { id: await storeChallenge(ctx, challenge, 'register'), options }
}

export async function addUserPasskey(ctx: Ctx, { id, name, credential }: InputOf<C['addPasskey']>): Promise<ReplyOf<C['addPasskey']>> {
  await requireProven(ctx)
  const now = ctx.clock.now()
  const challenge = await data.consumeChallenge(ctx.db, ctx.userId, { id, purpose: 'register', now })
  const made = challenge === undefined ? undefined : await verifyNewPasskey(new URL(ctx.siteUrl()), challenge, credential)
  if (!made) return fail('CODE_WRONG')
  return transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await data.insertPasskey(tx, ctx.userId, { name, made, now }))) fail('CODE_WRONG')
    await tx.audit('account.passkey-added', `user:${ctx.userId}`, { keyName: name, ip: ctx.ip, userAgent: ctx.userAgent })
    return { recoveryCodes: await issueRecoveryCodes(ctx, tx) }
  })
}

export async function removeUserPasskey(ctx: Ctx, { passkeyId }: InputOf<C['removePasskey']>): Promise<{}> {
  await requireProven(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const passkey = (await data.findPasskey(tx, ctx.userId, passkeyId)) ?? fail('NOT_FOUND')
    await data.deletePasskey(tx, ctx.userId, passkeyId)
    await dropRecoveryCodes(ctx, tx)
    await tx.audit('account.passkey-removed', `user:${ctx.userId}`, { keyName: passkey.name, ip: ctx.ip, userAgent: ctx.userAgent })
  })
  return {}
}

export async function createUserStepUpChallenge(ctx: Ctx): Promise<ReplyOf<C['stepUpChallenge']>> {
  await countAttempt(ctx)
  const known = await data.selectPasskeys(ctx.db, ctx.userId)
  if (!known.length) fail('NOT_FOUND')
  const { challenge, options } = await createSignInChallenge(new URL(ctx.siteUrl()), known)
  return { id: await storeChallenge(ctx, challenge, 'stepUp'), options }
}

const countAttempt = (ctx: Ctx) =>
  requireAllowed(ctx.db, 'account.factor', { subject: ctx.userId, limit: MAX_ATTEMPTS, windowSeconds: WINDOW_SECONDS, now: ctx.clock.now() })

/** Verifies a proof by one of the user's factors and returns its kind; undefined if the proof is wrong. Attempts are counted. */
export async function verifyFactor(
  ctx: Ctx,
  tx: Tx,
  given: { readonly factorCode?: string | undefined; readonly passkey?: { readonly id: string; readonly credential: { readonly id: string } } | undefined },
): Promise<'totp' | 'recovery' | 'passkey' | undefined> {
  const now = ctx.clock.now()
  if (given.passkey) return (await consumePasskeyProof(ctx, tx, given.passkey)) ? 'passkey' : undefined
  const { factorCode = '' } = given
  if (!/^\d{6}$/.test(factorCode))
    return (await data.consumeUserRecoveryCode(tx, ctx.userId, { hash: hashRecoveryCode(factorCode), now })) ? 'recovery' : undefined
  const row = await data.findAuthenticator(tx, ctx.userId)
  const counter = row?.confirmedAt
    ? findTotpCounter(unseal(ctx.secretKeys, ACCOUNT_TOTP_PURPOSE, { owner: ctx.userId, sealed: row.sealed }), factorCode, now)
    : undefined
  return counter !== undefined && (await data.consumeCounter(tx, ctx.userId, counter)) ? 'totp' : undefined
}

export const countFactorAttempt = countAttempt

async function consumePasskeyProof(
  ctx: Ctx,
  tx: Tx,
  { id, credential }: { readonly id: string; readonly credential: { readonly id: string } },
): Promise<boolean> {
  const now = ctx.clock.now()
  const [challenge, passkey] = [
    await data.consumeChallenge(tx, ctx.userId, { id, purpose: 'stepUp', now }),
    await data.findPasskey(tx, ctx.userId, credential.id),
  ]
  if (challenge === undefined || !passkey) return false
  const counter = await verifyPasskey(new URL(ctx.siteUrl()), passkey, { challenge, credential })
  return counter !== undefined && data.recordUserPasskeyUse(tx, passkey.id, { was: passkey.counter, counter, now })
}
