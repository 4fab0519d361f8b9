import type { Ctx } from '#platform/server/feature.ts'
import { findContact } from '#features/account/server/door.ts'
import { hkAmounts, hkChannel } from '../settings.ts'
import type { Amounts } from '../settings.ts'
import { listChannels } from '../vendors/index.ts'

/** The one way that users from Hong Kong and Macao pay, and what they may top up. */
export interface RegionMethod {
  readonly channelType: number
  readonly transactionType: number
  readonly amounts: Amounts
}

/**
 * Users whose number is of Hong Kong or Macao get the wallet of `payments.hk_channel`, with presets and a minimum of its own.
 * Undefined for everybody else, and where no connected channel has that wallet.
 */
export async function resolveRegionMethod(ctx: Pick<Ctx, 'db' | 'config' | 'settings' | 'userId'>): Promise<RegionMethod | undefined> {
  const mobile = (await findContact(ctx.db, ctx.userId))?.mobile
  if (!mobile || !/^\+85[23]/.test(mobile)) return undefined
  const transactionType = await ctx.settings.get(hkChannel)
  const channel = listChannels(ctx.config).find(({ manifest }) => manifest.methods.some((method) => method.transactionType === transactionType))
  return channel && { channelType: channel.manifest.id, transactionType, amounts: await ctx.settings.get(hkAmounts) }
}

export const isAllowedInRegion = (way: RegionMethod | undefined, channelType: number, transactionType: number): boolean =>
  way === undefined || (way.channelType === channelType && way.transactionType === transactionType)
