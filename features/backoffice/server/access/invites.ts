import { createHmac } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { findTotpCounter, createRecoveryCodes, hashRecoveryCode, buildTotpUri } from '#platform/server/proof/one-time.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { hashPassword, findPasswordWeakness } from '#features/account/server/door.ts'
import type { accessContract } from '../../contract.console.ts'
import type { OperatorRole } from '../../permissions.ts'
import { enrolOperator, insertInvite, insertOperator, findInvitedOperator, replaceRecoveryCodes, consumeInvite } from './data.ts'
import { hashOperatorSecret, createOperatorSecret, OPERATOR_TOTP_PURPOSE } from './secrets.ts'
import { openOperatorSession } from './sessions.ts'
import { countSignInAttempt, refundSignInAttempt } from './sign-in-attempts.ts'

const HOURS = 24

/** Creates an operator in state invited. The invitation is returned once, to the caller, and expires after 24 hours. */
export async function inviteOperator(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  made: { readonly name: string; readonly mail: string; readonly roles: readonly OperatorRole[]; readonly by: string },
): Promise<{ operatorId: string; invite: string }> {
  const now = clock.now()
  const id = createId('opr', now.getTime())
  if (!(await insertOperator(tx, { id, ...made }))) fail('OPERATOR_EXISTS')
  return { operatorId: id, invite: await createInvite({ clock }, tx, id) }
}

export async function createInvite({ clock }: Pick<Deps, 'clock'>, tx: Tx, operatorId: string): Promise<string> {
  const invite = createOperatorSecret('opi')
  await insertInvite(tx, { hash: hashOperatorSecret(invite), operatorId, expiresAt: new Date(clock.now().getTime() + HOURS * 3_600_000) })
  return invite
}

/** Derives the TOTP secret from the invitation, so nothing is stored before the operator confirms a code. */
const deriveTotpSecret = ({ secretKey }: Pick<Deps, 'secretKey'>, invite: string) =>
  new Secret({ buffer: new Uint8Array(createHmac('sha1', secretKey).update(`backoffice.invite:${invite}`).digest()).buffer }).base32

export async function openInvite(ctx: Ctx, { invite }: InputOf<typeof accessContract.openInvite>): Promise<ReplyOf<typeof accessContract.openInvite>> {
  await countSignInAttempt(ctx)
  const operator = (await findInvitedOperator(ctx.db, hashOperatorSecret(invite), ctx.clock.now())) ?? fail('OPERATOR_INVITE_GONE')
  await refundSignInAttempt(ctx)
  const secret = deriveTotpSecret(ctx, invite)
  return { name: operator.name, mail: operator.mail, secret, uri: buildTotpUri(ctx.config.BRAND_NAME, operator.mail, secret) }
}

export async function acceptInvite(
  ctx: Ctx,
  { invite, password, code }: InputOf<typeof accessContract.acceptInvite>,
): Promise<ReplyOf<typeof accessContract.acceptInvite>> {
  await countSignInAttempt(ctx)
  const now = ctx.clock.now()
  const { id, mail } = (await findInvitedOperator(ctx.db, hashOperatorSecret(invite), now)) ?? fail('OPERATOR_INVITE_GONE')
  if (findPasswordWeakness(password, [mail])) fail('OPERATOR_PASSWORD_WEAK')
  const secret = deriveTotpSecret(ctx, invite)
  const counter = findTotpCounter(secret, code, now) ?? fail('OPERATOR_SIGN_IN_FAILED')
  const passwordHash = await hashPassword(password)
  const recoveryCodes = createRecoveryCodes()
  const opened = await transact(ctx.db, { kind: 'operator', id }, async (tx) => {
    if (!(await consumeInvite(tx, hashOperatorSecret(invite), now))) fail('OPERATOR_INVITE_GONE')
    await enrolOperator(tx, id, { passwordHash, totpSealed: seal(ctx.secretKey, OPERATOR_TOTP_PURPOSE, { owner: id, text: secret }), counter })
    await replaceRecoveryCodes(tx, id, recoveryCodes.map(hashRecoveryCode))
    const session = await openOperatorSession(ctx, tx, { operatorId: id, method: 'totp' })
    await tx.audit('operator.joined', `operator:${id}`, { sessionId: session.sessionId, ip: ctx.ip })
    return session
  })
  await refundSignInAttempt(ctx)
  return { ...opened, operatorId: id, recoveryCodes }
}
