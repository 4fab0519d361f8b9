import type { Ctx, UserFacts } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { pick } from '#platform/shared/pick.ts'
import type { accountContract } from '../../contract.ts'
import { findPhoneRegion, toWirePhone } from '../../phone.ts'
import { requireUser } from '../contacts.ts'
import { computeSupportHash } from '../sessions/tokens.ts'
import { isInGradualGroup } from '../settings.ts'

export async function readGradualStatus(ctx: Ctx): Promise<{ isGradual: boolean }> {
  return { isGradual: await isInGradualGroup(ctx, ctx.userId) }
}

/** The signed-in user as shown by the app shell. */
export async function readInfo(ctx: Ctx): Promise<ReplyOf<typeof accountContract.info>> {
  const user = await requireUser(ctx.db, ctx.userId)
  const { balance = '0', cardNo = null } = await collectUserFacts(ctx)
  return {
    id: user.id,
    email: user.email,
    emailVerifyStatus: user.emailVerifiedAt ? 1 : 0,
    mobile: user.mobile && toWirePhone(user.mobile),
    isHkUser: user.mobile !== null && findPhoneRegion(user.mobile) !== '86',
    google: user.hasGoogle,
    password: user.passwordHash !== null,
    existPayPassword: user.hasPayPassword,
    ...pick(user, 'name', 'firstName', 'lastName', 'language', 'theme'),
    balance,
    cardNo,
    hmac: computeSupportHash(ctx.secretKey, user.id),
    createdAt: user.createdAt.toISOString(),
  }
}

/** Facts about the user from other features. */
async function collectUserFacts(ctx: Ctx): Promise<UserFacts> {
  const told = [...(ctx.personal?.values() ?? [])].map(({ factsOf: tell }) => tell?.(ctx, ctx.userId))
  return Object.assign({}, ...(await Promise.all(told))) as UserFacts
}
