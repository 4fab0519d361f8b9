import { fail } from '#platform/shared/errors.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { isInGradualGroup, findContact } from '#features/account/server/door.ts'
import { BALANCE_CHANNEL_TYPE, type TradeFrom } from '../../words.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import { findOrderKind, requireOrderKind } from '../kinds/index.ts'
import { readPayRate } from './rate-now.ts'
import {
  type Amounts,
  amountsSetting,
  closedChannels,
  feePercents,
  fixedFees,
  gradualChannels,
  reviewedChannels,
  shownPresets,
  hkAmounts,
  hkMethod,
} from '../settings.ts'
import type { FeeTerms } from '../../figures.ts'
import { findChannelById, listChannels } from '../vendors/index.ts'
import type { Channel, ChannelManifest, PayMethod } from '../vendors/port.ts'

/** The only payment method for users from Hong Kong and Macao, with its top-up amounts. */
interface RegionMethod {
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

/** Current price terms of an order type at a channel; the bounds are in dollars. */
export interface PaymentOffer extends FeeTerms {
  readonly channel: Channel
  readonly currency: PayCurrency
  /** Units of the pay currency per dollar. */
  readonly rate: string
  readonly min: string
  readonly max: string
  readonly presets: string[]
}

/** Dependencies with the caller's user id; absent for a visitor. */
type Buyer = Deps & { readonly userId?: string }

/**
 * Returns the offer for an order type. `way`: the single payment method of the user's region, with its own amounts if the amount is free.
 */
export async function computeOffer(
  deps: Buyer,
  orderType: number,
  { channelType, way }: { readonly channelType?: number; readonly way?: RegionMethod } = {},
): Promise<PaymentOffer> {
  const kind = requireOrderKind(orderType)
  const wanted = channelType ?? way?.channelType
  const channel = wanted === undefined ? listChannels(deps)[0] : findChannelById(deps, wanted)
  if (!channel) fail('CHANNEL_UNAVAILABLE')
  const { id, currency, limits } = channel.manifest
  const { min, max, presets } = narrowAmounts(way && kind.amounts !== 'own' && !kind.bounds ? way.amounts : await resolveAmounts(deps, orderType, id), limits)
  return {
    channel,
    min,
    max,
    presets: presets.slice(0, await deps.settings.get(shownPresets)),
    ...(await resolveFeeTerms(deps, id, orderType)),
    currency,
    rate: await readPayRate(deps.settings, currency),
  }
}

/** The narrower bounds of the settings and the channel, and the presets within them. */
function narrowAmounts(amounts: Amounts, limits: ChannelManifest['limits']): Amounts {
  const min = limits.min && parseUsd(limits.min) > parseUsd(amounts.min) ? limits.min : amounts.min
  const max = limits.max && parseUsd(limits.max) < parseUsd(amounts.max) ? limits.max : amounts.max
  return { min, max, presets: amounts.presets.filter((preset) => parseUsd(preset) >= parseUsd(min) && parseUsd(preset) <= parseUsd(max)) }
}

/** A service that sets its own price needs no bounds. */
const UNBOUNDED_AMOUNTS: Amounts = { min: '0.01', max: '100000', presets: [] }

async function resolveAmounts(deps: Buyer, orderType: number, channelType: number): Promise<Amounts> {
  const own = await requireOrderKind(orderType).bounds?.(deps, { userId: deps.userId, channelType })
  if (own) return own
  const all = await deps.settings.get(amountsSetting)
  const entry = all[`${orderType}:${channelType}`] ?? all[String(orderType)]
  return entry ?? (requireOrderKind(orderType).amounts === 'own' ? UNBOUNDED_AMOUNTS : fail('ORDER_TYPE_CLOSED'))
}

/** The channel's percent, or the buyer's percent for this order type if lower. */
async function resolveFeePercent(deps: Buyer, channelType: number, orderType: number): Promise<string> {
  const percents = await deps.settings.get(feePercents)
  const usual = percents[String(channelType)] ?? percents['default'] ?? feePercents.fallback['default']!
  const own = deps.userId ? await findOrderKind(orderType)?.feePercent?.(deps, deps.userId) : undefined
  return own !== undefined && parseUsd(own) < parseUsd(usual) ? own : usual
}

export async function resolveFeeTerms(deps: Buyer, channelType: number, orderType: number): Promise<FeeTerms> {
  const fixed = await deps.settings.get(fixedFees)
  return { feePercent: await resolveFeePercent(deps, channelType, orderType), fixedFee: fixed[String(channelType)] ?? fixed['default'] ?? '0' }
}

export async function isMethodClosed(deps: Deps, channelType: number, transactionType: number): Promise<boolean> {
  return (await findClosedReason(deps, channelType, transactionType)) !== null
}

/** Reason the payment method is closed for all users now; null while it is open. */
export async function findClosedReason(deps: Deps, channelType: number, transactionType: number): Promise<'review' | 'closed' | null> {
  if (includesMethod(await deps.settings.get(reviewedChannels), channelType, transactionType)) return 'review'
  return includesMethod(await deps.settings.get(closedChannels), channelType, transactionType) ? 'closed' : null
}

function includesMethod(list: readonly string[], channelType: number, transactionType: number): boolean {
  return list.includes(String(channelType)) || list.includes(`${channelType}:${transactionType}`)
}

/** True while a method is released to users of the gradual group only. */
export async function isGradualMethod(deps: Deps, channelType: number, { transactionType, gradualOnly = false }: PayMethod): Promise<boolean> {
  return gradualOnly || includesMethod(await deps.settings.get(gradualChannels), channelType, transactionType)
}

/** The requested method, or the channel's first one on this device that is offered to this user. */
export async function requirePayMethod(
  ctx: Pick<Ctx, 'userId'> & Deps,
  channel: Channel,
  { tradeFrom, transactionType }: { readonly tradeFrom: TradeFrom; readonly transactionType?: number },
): Promise<PayMethod> {
  const { id, methods } = channel.manifest
  const fitting = methods.filter((each) => each.forms[tradeFrom] && (transactionType === undefined || each.transactionType === transactionType))
  const inGroup = await isInGradualGroup(ctx, ctx.userId)
  const offered = await Promise.all(fitting.map(async (each) => inGroup || !(await isGradualMethod(ctx, id, each))))
  const method = fitting.find((_, at) => offered[at])
  const why = method && (await findClosedReason(ctx, id, method.transactionType))
  if (why === 'review') fail('CHANNEL_IN_REVIEW')
  if (!method || why) fail('CHANNEL_UNAVAILABLE')
  return method
}

/**
 * Terms of an order paid from the balance: no fee, no exchange. Errors: BALANCE_NOT_ACCEPTED, because a balance cannot buy itself, or while
 * an operator has closed it.
 */
export async function computeBalanceOffer(deps: Deps, orderType: number): Promise<Omit<PaymentOffer, 'channel'>> {
  if (!acceptsBalance(orderType) || (await isMethodClosed(deps, BALANCE_CHANNEL_TYPE, 0))) fail('BALANCE_NOT_ACCEPTED')
  const { min, max, presets } = await resolveAmounts(deps, orderType, BALANCE_CHANNEL_TYPE)
  return { min, max, presets: presets.slice(0, await deps.settings.get(shownPresets)), feePercent: '0', fixedFee: '0', currency: 'USD', rate: '1.0' }
}

export function acceptsBalance(orderType: number): boolean {
  return requireOrderKind(orderType).earns !== 'credit'
}
