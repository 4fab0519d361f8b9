import { consolePortOf } from '#platform/server/config.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { askForNewPasskey, askForPasskey, CHALLENGE_MS, checkPasskey, readNewPasskey } from '#platform/server/proof/passkey.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import type { accessContract } from '../../contract.console.ts'
import { findOperator } from './data.ts'
import { deletePasskey, findPasskey, insertChallenge, insertPasskey, passkeysOf, takeChallenge, usePasskey } from './data-passkeys.ts'
import type { ChallengePurpose } from './data-passkeys.ts'
import { requirePerson, requireProvenPerson } from './proven.ts'
import { mayComeFrom, openSession } from './sessions.ts'
import { countTry, countedWell } from './tries.ts'

type Options = ReplyOf<typeof accessContract.passkeyChallenge>

/** Origin of the operators' console, to which passkeys are bound. */
export function consoleOrigin({ config }: Pick<Deps, 'config'>): URL {
  const { CONSOLE_URL } = config
  return new URL(typeof CONSOLE_URL === 'string' ? CONSOLE_URL : `http://localhost:${consolePortOf(config)}`)
}

async function keepChallenge(ctx: Ctx, challenge: string, purpose: ChallengePurpose): Promise<string> {
  const id = newId('opc', ctx.clock.now().getTime())
  await insertChallenge(ctx.db, { id, challenge, purpose, operatorId: ctx.operator?.id ?? null, expiresAt: new Date(ctx.clock.now().getTime() + CHALLENGE_MS) })
  return id
}

async function challengeFor(ctx: Ctx, purpose: 'signIn' | 'stepUp'): Promise<Options> {
  const known = ctx.operator ? await passkeysOf(ctx.db, ctx.operator.id) : []
  const { challenge, options } = await askForPasskey(consoleOrigin(ctx), known)
  return { id: await keepChallenge(ctx, challenge, purpose), options }
}

export async function passkeyChallenge(ctx: Ctx): Promise<Options> {
  await countTry(ctx)
  return challengeFor(ctx, 'signIn')
}

export async function stepUpChallenge(ctx: Ctx): Promise<Options> {
  requirePerson(ctx)
  return challengeFor(ctx, 'stepUp')
}

/** Operator whose passkey signed the challenge. The challenge is consumed in any case; undefined if anything does not match. */
export async function checkOwnPasskey(
  ctx: Ctx,
  { id, credential }: InputOf<typeof accessContract.passkeySignIn>,
  purpose: 'signIn' | 'stepUp',
): Promise<{ operatorId: string } | undefined> {
  const now = ctx.clock.now()
  const asked = await takeChallenge(ctx.db, id, purpose, now)
  const passkey = await findPasskey(ctx.db, credential.id)
  if (!asked || !passkey || (asked.operator_id !== null && asked.operator_id !== passkey.operator_id)) return undefined
  const counter = await checkPasskey(consoleOrigin(ctx), passkey, asked.challenge, credential)
  if (counter === undefined || !(await usePasskey(ctx.db, passkey.id, passkey.counter, counter, now))) return undefined
  return { operatorId: passkey.operator_id }
}

export async function passkeySignIn(ctx: Ctx, input: InputOf<typeof accessContract.passkeySignIn>): Promise<ReplyOf<typeof accessContract.passkeySignIn>> {
  if (!(await mayComeFrom(ctx, ctx.ip))) fail('OPERATOR_SIGN_IN_FAILED')
  await countTry(ctx)
  const { operatorId } = (await checkOwnPasskey(ctx, input, 'signIn')) ?? fail('OPERATOR_SIGN_IN_FAILED')
  const opened = await transact(ctx.db, { kind: 'operator', id: operatorId }, async (tx) => {
    if ((await findOperator(tx, operatorId))?.status !== 'active') return undefined
    const session = await openSession(ctx, tx, operatorId, 'passkey')
    await tx.audit('operator.signed-in', `operator:${operatorId}`, { method: 'passkey', sessionId: session.sessionId, ip: ctx.ip })
    return session
  })
  if (!opened) return fail('OPERATOR_SIGN_IN_FAILED')
  await countedWell(ctx)
  return { ...opened, operatorId }
}

export async function listPasskeys(ctx: Ctx): Promise<ReplyOf<typeof accessContract.passkeys>> {
  const rows = await passkeysOf(ctx.db, ctx.operator!.id)
  return {
    passkeys: rows.map((row) => ({ id: row.id, name: row.name, createdAt: row.created_at.toISOString(), lastUsedAt: row.last_used_at?.toISOString() ?? null })),
  }
}

export async function passkeyOptions(ctx: Ctx): Promise<Options> {
  requireProvenPerson(ctx)
  const operator = (await findOperator(ctx.db, ctx.operator!.id)) ?? fail('SESSION_EXPIRED')
  const owner = { id: operator.id, name: operator.mail, displayName: operator.name }
  const { challenge, options } = await askForNewPasskey(consoleOrigin(ctx), ctx.config.BRAND_NAME, owner, await passkeysOf(ctx.db, operator.id))
  return { id: await keepChallenge(ctx, challenge, 'register'), options }
}

export async function addPasskey(ctx: Ctx, { id, name, credential }: InputOf<typeof accessContract.addPasskey>): Promise<{}> {
  requireProvenPerson(ctx)
  const operatorId = ctx.operator!.id
  const asked = await takeChallenge(ctx.db, id, 'register', ctx.clock.now())
  if (asked?.operator_id !== operatorId) fail('OPERATOR_SIGN_IN_FAILED')
  const made = (await readNewPasskey(consoleOrigin(ctx), asked!.challenge, credential)) ?? fail('OPERATOR_SIGN_IN_FAILED')
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await insertPasskey(tx, { ...made, operatorId, name }))) fail('OPERATOR_SIGN_IN_FAILED')
    await tx.audit('operator.passkey-added', `operator:${operatorId}`, { name, ip: ctx.ip })
  })
  return {}
}

export async function removePasskey(ctx: Ctx, { passkeyId }: InputOf<typeof accessContract.removePasskey>): Promise<{}> {
  requireProvenPerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await deletePasskey(tx, ctx.operator!.id, passkeyId))) fail('NOT_FOUND')
    await tx.audit('operator.passkey-removed', `operator:${ctx.operator!.id}`, { ip: ctx.ip })
  })
  return {}
}
