import { createHmac } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { counterOf, newRecoveryCodes, recoveryHash, totpUri } from '#platform/server/proof/one-time.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { hashPassword, weaknessOf } from '#features/account/server/door.ts'
import type { accessContract } from '../../contract.console.ts'
import type { Role } from '../../permissions.ts'
import { enrol, insertInvite, insertOperator, inviteOf, replaceRecovery, useInvite } from './data.ts'
import { hashOf, newToken, TOTP_PURPOSE } from './secrets.ts'
import { openSession } from './sessions.ts'
import { countTry, countedWell } from './tries.ts'

const HOURS = 24

/** Creates an operator in state invited. The invitation is returned once, to the caller, and expires after 24 hours. */
export async function inviteOperator(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  made: { readonly name: string; readonly mail: string; readonly roles: readonly Role[]; readonly by: string },
): Promise<{ operatorId: string; invite: string }> {
  const now = clock.now()
  const id = newId('opr', now.getTime())
  if (!(await insertOperator(tx, { id, ...made }))) fail('OPERATOR_EXISTS')
  return { operatorId: id, invite: await newInvite({ clock }, tx, id) }
}

export async function newInvite({ clock }: Pick<Deps, 'clock'>, tx: Tx, operatorId: string): Promise<string> {
  const invite = newToken('opi')
  await insertInvite(tx, { hash: hashOf(invite), operatorId, expiresAt: new Date(clock.now().getTime() + HOURS * 3_600_000) })
  return invite
}

/** Derives the TOTP secret from the invitation, so nothing is stored before the operator confirms a code. */
const secretOf = ({ secretKey }: Pick<Deps, 'secretKey'>, invite: string) =>
  new Secret({ buffer: new Uint8Array(createHmac('sha1', secretKey).update(`backoffice.invite:${invite}`).digest()).buffer }).base32

export async function openInvite(ctx: Ctx, { invite }: InputOf<typeof accessContract.openInvite>): Promise<ReplyOf<typeof accessContract.openInvite>> {
  await countTry(ctx)
  const operator = (await inviteOf(ctx.db, hashOf(invite), ctx.clock.now())) ?? fail('OPERATOR_INVITE_GONE')
  await countedWell(ctx)
  const secret = secretOf(ctx, invite)
  return { name: operator.name, mail: operator.mail, secret, uri: totpUri(ctx.config.BRAND_NAME, operator.mail, secret) }
}

export async function acceptInvite(
  ctx: Ctx,
  { invite, password, code }: InputOf<typeof accessContract.acceptInvite>,
): Promise<ReplyOf<typeof accessContract.acceptInvite>> {
  await countTry(ctx)
  const now = ctx.clock.now()
  const { id, mail } = (await inviteOf(ctx.db, hashOf(invite), now)) ?? fail('OPERATOR_INVITE_GONE')
  if (weaknessOf(password, [mail])) fail('OPERATOR_PASSWORD_WEAK')
  const secret = secretOf(ctx, invite)
  const counter = counterOf(secret, code, now) ?? fail('OPERATOR_SIGN_IN_FAILED')
  const passwordHash = await hashPassword(password)
  const recoveryCodes = newRecoveryCodes()
  const opened = await transact(ctx.db, { kind: 'operator', id }, async (tx) => {
    if (!(await useInvite(tx, hashOf(invite), now))) fail('OPERATOR_INVITE_GONE')
    await enrol(tx, id, { passwordHash, totpSealed: seal(ctx.secretKey, TOTP_PURPOSE, id, secret), counter })
    await replaceRecovery(tx, id, recoveryCodes.map(recoveryHash))
    const session = await openSession(ctx, tx, id, 'totp')
    await tx.audit('operator.joined', `operator:${id}`, { sessionId: session.sessionId, ip: ctx.ip })
    return session
  })
  await countedWell(ctx)
  return { ...opened, operatorId: id, recoveryCodes }
}
