import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser } from '../contacts.ts'
import { toMobileTarget } from '../target.ts'
import { sendVerificationCode } from './send-code.ts'
import type { SentCode } from './send-code.ts'

/** Sends a code to the new mobile of the signed-in user. If the mobile belongs to another account, only use of the code reveals it. */
export async function sendNewMobileCode(ctx: Ctx, input: InputOf<typeof securityContract.sendNewMobileCode>): Promise<SentCode> {
  if ((await requireUser(ctx.db, ctx.userId)).mobile === input.mobile) fail('MOBILE_SAME')
  return sendVerificationCode(ctx, { purpose: 'bindMobile', target: toMobileTarget(input.mobile), captcha: input.captchaVerifyParam })
}
