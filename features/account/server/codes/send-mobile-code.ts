import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { accountContract, CodePurpose } from '../../contract.ts'
import { toMobileTarget } from '../target.ts'
import { sendVerificationCode } from './send-code.ts'
import type { SentCode } from './send-code.ts'

/** Endpoints that send a code of one purpose to the mobile in their path. */
export function sendMobileCode(purpose: CodePurpose) {
  return (ctx: Ctx, { x, captchaVerifyParam }: InputOf<typeof accountContract.sendLoginCode>): Promise<SentCode> =>
    sendVerificationCode(ctx, { purpose, target: toMobileTarget(x), captcha: captchaVerifyParam })
}
