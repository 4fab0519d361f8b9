import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { accountContract } from '../../contract.ts'
import { findUser } from '../data.ts'

/** The signed-in user as the shell shows it. */
export async function readInfo(ctx: Ctx): Promise<ReplyOf<typeof accountContract.info>> {
  const user = (await findUser(ctx.db, ctx.userId)) ?? fail('SESSION_EXPIRED')
  return {
    id: user.id,
    email: user.email,
    emailVerifyStatus: user.email_verified_at ? 1 : 0,
    mobile: user.mobile,
    name: user.name,
    password: user.has_password,
    existPayPassword: false,
    createdAt: user.created_at.toISOString(),
  }
}
