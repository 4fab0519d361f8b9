import type { Ctx } from '#platform/server/feature.ts'
import { findContact } from '#features/account/server/door.ts'
import { hkAmounts, hkMethod } from '../settings.ts'
import type { Amounts } from '../settings.ts'
import { listChannels } from '../vendors/index.ts'

/** The only payment method for users from Hong Kong and Macao, with its top-up amounts. */
export interface RegionMethod {
  readonly channelType: number
  readonly transactionType: number
  readonly amounts: Amounts
}

/**
 * Users with a Hong Kong or Macao number get the wallet of `payments.hk_channel`, with its own presets and minimum. Undefined for all other
 * users, and if no connected channel has that wallet.
 */
export async function resolveRegionMethod(ctx: Pick<Ctx, 'db' | 'config' | 'settings' | 'userId'>): Promise<RegionMethod | undefined> {
  const mobile = (await findContact(ctx.db, ctx.userId))?.mobile
  if (!mobile || !/^\+85[23]/.test(mobile)) return undefined
  const transactionType = await ctx.settings.get(hkMethod)
  const channel = listChannels(ctx).find(({ manifest }) => manifest.methods.some((method) => method.transactionType === transactionType))
  return channel && { channelType: channel.manifest.id, transactionType, amounts: await ctx.settings.get(hkAmounts) }
}

export const isAllowedInRegion = (way: RegionMethod | undefined, channelType: number, transactionType: number): boolean =>
  way === undefined || (way.channelType === channelType && way.transactionType === transactionType)
