import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import type { accountContract } from '../../contract.ts'
import { createOAuthState } from './google-state.ts'
import { googlePerIpHour } from '../settings.ts'
import { chooseSignInVendor } from '../vendors/index.ts'

/** Creates a state, its nonce and the URL of the consent page. */
export async function googleStart(ctx: Ctx): Promise<ReplyOf<typeof accountContract.googleStart>> {
  const vendor = chooseSignInVendor(ctx) ?? fail('GOOGLE_FAILED')
  await requireAllowed(ctx.db, 'account.google.start', {
    subject: toIpSubject(ctx.ip),
    limit: await ctx.settings.get(googlePerIpHour),
    windowSeconds: 3600,
    now: ctx.clock.now(),
  })
  const { state, nonce } = createOAuthState(ctx.secretKey, ctx.clock.now())
  return { state, nonce, authorizeUrl: vendor.authorizeUrl({ state, nonce }) }
}
