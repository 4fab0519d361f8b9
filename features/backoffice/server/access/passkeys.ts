import { resolveConsolePort } from '#platform/server/config.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { createRegistrationChallenge, createSignInChallenge, CHALLENGE_MS, verifyPasskey, verifyNewPasskey } from '#platform/server/proof/passkey.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { accessContract } from '../../contract.console.ts'
import { findOperator } from './data.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskeyChallenge,
  insertPasskey,
  listPasskeysByOperator,
  takePasskeyChallenge,
  recordPasskeyUse,
} from './data-passkeys.ts'
import type { ChallengePurpose } from './data-passkeys.ts'
import { requirePerson, requireSteppedUpPerson } from './require-person.ts'
import { isAllowedNetwork, openOperatorSession } from './sessions.ts'
import { countSignInAttempt, refundSignInAttempt } from './sign-in-attempts.ts'

type Options = ReplyOf<typeof accessContract.passkeyChallenge>

/** Origin of the operators' console, to which passkeys are bound. */
export function readConsoleOrigin({ config }: Pick<Deps, 'config'>): URL {
  const { CONSOLE_URL } = config
  return new URL(typeof CONSOLE_URL === 'string' ? CONSOLE_URL : `http://localhost:${resolveConsolePort(config)}`)
}

async function storeChallenge(ctx: Ctx, challenge: string, purpose: ChallengePurpose): Promise<string> {
  const id = createId('opc', ctx.clock.now().getTime())
  await insertPasskeyChallenge(ctx.db, {
    id,
    challenge,
    purpose,
    operatorId: ctx.operator?.id ?? null,
    expiresAt: new Date(ctx.clock.now().getTime() + CHALLENGE_MS),
  })
  return id
}

async function createChallenge(ctx: Ctx, purpose: 'signIn' | 'stepUp'): Promise<Options> {
  const known = ctx.operator ? await listPasskeysByOperator(ctx.db, ctx.operator.id) : []
  const { challenge, options } = await createSignInChallenge(readConsoleOrigin(ctx), known)
  return { id: await storeChallenge(ctx, challenge, purpose), options }
}

export async function passkeyChallenge(ctx: Ctx): Promise<Options> {
  await countSignInAttempt(ctx)
  return createChallenge(ctx, 'signIn')
}

export async function createStepUpChallenge(ctx: Ctx): Promise<Options> {
  requirePerson(ctx)
  return createChallenge(ctx, 'stepUp')
}

/** Returns the operator whose passkey signed the challenge; undefined if anything does not match. Consumes the challenge in any case. */
export async function checkOwnPasskey(
  ctx: Ctx,
  { id, credential }: InputOf<typeof accessContract.passkeySignIn>,
  purpose: 'signIn' | 'stepUp',
): Promise<{ operatorId: string } | undefined> {
  const now = ctx.clock.now()
  const asked = await takePasskeyChallenge(ctx.db, id, { purpose, now })
  const passkey = await findPasskey(ctx.db, credential.id)
  if (!asked || !passkey || (asked.operatorId !== null && asked.operatorId !== passkey.operatorId)) return undefined
  const counter = await verifyPasskey(readConsoleOrigin(ctx), passkey, { challenge: asked.challenge, credential })
  if (counter === undefined || !(await recordPasskeyUse(ctx.db, passkey.id, { was: passkey.counter, counter, now }))) return undefined
  return { operatorId: passkey.operatorId }
}

export async function passkeySignIn(ctx: Ctx, input: InputOf<typeof accessContract.passkeySignIn>): Promise<ReplyOf<typeof accessContract.passkeySignIn>> {
  if (!(await isAllowedNetwork(ctx, ctx.ip))) fail('OPERATOR_SIGN_IN_FAILED')
  await countSignInAttempt(ctx)
  const { operatorId } = (await checkOwnPasskey(ctx, input, 'signIn')) ?? fail('OPERATOR_SIGN_IN_FAILED')
  const opened = await transact(ctx.db, { kind: 'operator', id: operatorId }, async (tx) => {
    if ((await findOperator(tx, operatorId))?.status !== 'active') return undefined
    const session = await openOperatorSession(ctx, tx, { operatorId, method: 'passkey' })
    await tx.audit('operator.signed-in', `operator:${operatorId}`, { method: 'passkey', sessionId: session.sessionId, ip: ctx.ip })
    return session
  })
  if (!opened) return fail('OPERATOR_SIGN_IN_FAILED')
  await refundSignInAttempt(ctx)
  return { ...opened, operatorId }
}

export async function listPasskeys(ctx: Ctx): Promise<ReplyOf<typeof accessContract.passkeys>> {
  const rows = await listPasskeysByOperator(ctx.db, ctx.operator!.id)
  return {
    passkeys: rows.map((row) => ({ id: row.id, name: row.name, createdAt: row.createdAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null })),
  }
}

export async function createPasskeyOptions(ctx: Ctx): Promise<Options> {
  requireSteppedUpPerson(ctx)
  const operator = (await findOperator(ctx.db, ctx.operator!.id)) ?? fail('SESSION_EXPIRED')
  const owner = { id: operator.id, name: operator.mail, displayName: operator.name }
  const { challenge, options } = await createRegistrationChallenge(readConsoleOrigin(ctx), ctx.config.BRAND_NAME, {
    owner,
    known: await listPasskeysByOperator(ctx.db, operator.id),
  })
  return { id: await storeChallenge(ctx, challenge, 'register'), options }
}

export async function addOperatorPasskey(ctx: Ctx, { id, name, credential }: InputOf<typeof accessContract.addPasskey>): Promise<{}> {
  requireSteppedUpPerson(ctx)
  const operatorId = ctx.operator!.id
  const asked = await takePasskeyChallenge(ctx.db, id, { purpose: 'register', now: ctx.clock.now() })
  if (asked?.operatorId !== operatorId) fail('OPERATOR_SIGN_IN_FAILED')
  const made = (await verifyNewPasskey(readConsoleOrigin(ctx), asked!.challenge, credential)) ?? fail('OPERATOR_SIGN_IN_FAILED')
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await insertPasskey(tx, { ...made, operatorId, name }))) fail('OPERATOR_SIGN_IN_FAILED')
    await tx.audit('operator.passkey-added', `operator:${operatorId}`, { name, ip: ctx.ip })
  })
  return {}
}

export async function removeOperatorPasskey(ctx: Ctx, { passkeyId }: InputOf<typeof accessContract.removePasskey>): Promise<{}> {
  requireSteppedUpPerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await deletePasskey(tx, ctx.operator!.id, passkeyId))) fail('NOT_FOUND')
    await tx.audit('operator.passkey-removed', `operator:${ctx.operator!.id}`, { ip: ctx.ip })
  })
  return {}
}
