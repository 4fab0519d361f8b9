import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { accountContract, CodePurpose } from '../../contract.ts'
import { mobileTarget } from '../target.ts'
import { sendCode } from './send-code.ts'
import type { CodeSent } from './send-code.ts'

/** The calls that send a code of one purpose to the mobile in their path. */
export function sendMobileCode(purpose: CodePurpose) {
  return (ctx: Ctx, { x, captchaVerifyParam }: InputOf<typeof accountContract.sendLoginCode>): Promise<CodeSent> =>
    sendCode(ctx, { purpose, target: mobileTarget(x), captcha: captchaVerifyParam })
}
