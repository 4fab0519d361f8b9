import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { smsRegions } from '#features/notices/server/door.ts'
import type { accountContract } from '../../contract.ts'
import { agreementTicked, mobileSignIn, unusedDays } from '../settings.ts'
import { signInVendor } from '../vendors/index.ts'

/** Sign-in methods that are currently enabled. */
export async function signInOptions(ctx: Ctx): Promise<ReplyOf<typeof accountContract.signInOptions>> {
  const google = signInVendor(ctx)
  return {
    mobileRegions: (await ctx.settings.get(mobileSignIn)) ? [...(await smsRegions(ctx))] : [],
    google: google ? { clientId: google.clientId, sandbox: google.sandbox } : null,
    agreementTicked: await ctx.settings.get(agreementTicked),
    sessionDays: await unusedDays(ctx.settings),
  }
}
