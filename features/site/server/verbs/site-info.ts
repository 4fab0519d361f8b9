import type { Handler } from '#platform/server/feature.ts'
import { readRechargeTerms } from '#features/payments/server/door.ts'
import type { siteContract } from '../../contract.ts'
import { landingSetting, logosSetting, reviewsSetting } from '../settings.ts'

export const siteInfo: Handler<typeof siteContract.siteInfo> = async (ctx) => {
  const { feePercent, min, max } = await readRechargeTerms(ctx.settings)
  return {
    landing: await ctx.settings.get(landingSetting),
    feePercent,
    minRecharge: min,
    maxRecharge: max,
    logos: await ctx.settings.get(logosSetting),
    reviews: await ctx.settings.get(reviewsSetting),
  }
}
