import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser } from '../contacts.ts'
import { mobileTarget } from '../target.ts'
import { sendCode } from './send-code.ts'
import type { CodeSent } from './send-code.ts'

/** A code to the new mobile of the user who is signed in; whose it is otherwise shows only when the code is used. */
export async function sendNewMobileCode(ctx: Ctx, input: InputOf<typeof securityContract.sendNewMobileCode>): Promise<CodeSent> {
  if ((await requireUser(ctx.db, ctx.userId)).mobile === input.mobile) fail('MOBILE_SAME')
  return sendCode(ctx, { purpose: 'bindMobile', target: mobileTarget(input.mobile), captcha: input.captchaVerifyParam })
}
