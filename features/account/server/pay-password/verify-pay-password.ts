import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { payPasswordContract, PayResult } from '../../contract-pay-password.ts'
import { comparePayPassword } from './pay-password.ts'

/** Compares the payment password for the page; guarded endpoints require it again (`requirePayPassword`). */
export async function verifyPayPassword(ctx: Ctx, { password }: InputOf<typeof payPasswordContract.verifyPayPassword>): Promise<PayResult> {
  const { resultType, failCount } = await comparePayPassword(ctx, ctx.userId, password)
  return { resultType, failCount }
}
