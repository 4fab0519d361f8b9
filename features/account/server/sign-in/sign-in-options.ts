import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { listSmsRegions } from '#features/notices/server/door.ts'
import type { accountContract } from '../../contract.ts'
import { agreementTicked, mobileSignIn, readUnusedDays } from '../settings.ts'
import { chooseSignInVendor } from '../vendors/index.ts'

/** Sign-in methods that are currently enabled. */
export async function signInOptions(ctx: Ctx): Promise<ReplyOf<typeof accountContract.signInOptions>> {
  const google = chooseSignInVendor(ctx)
  return {
    mobileRegions: (await ctx.settings.get(mobileSignIn)) ? [...(await listSmsRegions(ctx))] : [],
    google: google ? { clientId: google.clientId, sandbox: google.sandbox } : null,
    agreementTicked: await ctx.settings.get(agreementTicked),
    sessionDays: await readUnusedDays(ctx.settings),
  }
}
