import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { accountContract } from '../../contract.ts'
import { toContactTarget } from '../target.ts'
import { sendVerificationCode } from './send-code.ts'

type SendEmailCode = typeof accountContract.sendEmailCode

/** Mails a code to an entered address. `verify` and `updateEmail` require a session, and only its user can use the code. */
export async function sendEmailCode(ctx: Ctx, { email, verifyCodeType, captchaVerifyParam }: InputOf<SendEmailCode>): Promise<ReplyOf<SendEmailCode>> {
  if ((verifyCodeType === 'verify' || verifyCodeType === 'updateEmail') && !ctx.userId) fail('SESSION_EXPIRED')
  return sendVerificationCode(ctx, { purpose: verifyCodeType, target: toContactTarget({ email }), captcha: captchaVerifyParam })
}
