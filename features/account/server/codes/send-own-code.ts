import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { CodePurpose } from '../../contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { maskTarget, listProvenTargets, requireUser } from '../contacts.ts'
import type { ContactTarget } from '../target.ts'
import { sendVerificationCode } from './send-code.ts'

interface OwnCode {
  readonly purpose: CodePurpose
  readonly by: ContactTarget['kind'] | undefined
  readonly captchaVerifyParam: string | undefined
}

/** Sends a code to one of the user's own verified contacts: the requested one, else the mobile, else the e-mail. */
export async function sendOwnCode(ctx: Ctx, { purpose, by, captchaVerifyParam }: OwnCode): Promise<ReplyOf<typeof securityContract.sendOwnCode>> {
  const target = listProvenTargets(await requireUser(ctx.db, ctx.userId)).find((one) => by === undefined || one.kind === by) ?? fail('NO_CONTACT')
  return { ...(await sendVerificationCode(ctx, { purpose, target, captcha: captchaVerifyParam })), kind: target.kind, sentTo: maskTarget(target) }
}
