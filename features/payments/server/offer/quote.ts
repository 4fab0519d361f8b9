import type { Ctx, Handler, Deps } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { capDiscount, formatDiscount, computePriceFigures, formatFigures } from '../../figures.ts'
import { BALANCE_CHANNEL_TYPE, ORDER_TYPE } from '../../words.ts'
import { checkAmount } from '../kinds/bounds.ts'
import { computeBalanceOffer, computeOffer, resolveFeeTerms, resolveRegionMethod } from './offer.ts'
import { computeOfferedDiscount } from '../kinds/discounts.ts'
import type { Settings } from '#platform/server/settings.ts'
import { amountsSetting, feePercents, rechargePause } from '../settings.ts'
import { fail } from '#platform/shared/errors.ts'
import { toPercentFraction } from '#platform/shared/money.ts'
import { findChannelById } from '../vendors/index.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'

/** Number of days before the holiday that pages announce it. */
const ANNOUNCED_AHEAD_MS = 7 * 86_400_000

interface RechargePause {
  readonly from: string
  readonly to: string
  /** First day after the holiday. */
  readonly resumes: string
  readonly isNow: boolean
}

/** The holiday that pauses recharging, from a week before it; null for none. */
export async function readRechargePause({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Promise<RechargePause | null> {
  const pause = await settings.get(rechargePause)
  const now = clock.now()
  const today = toShanghaiDay(now)
  if (!pause || today > pause.to || toShanghaiDay(new Date(now.getTime() + ANNOUNCED_AHEAD_MS)) < pause.from) return null
  return { ...pause, resumes: getNextDay(pause.to), isNow: today >= pause.from }
}

/** Errors: RECHARGE_PAUSED with `resumes`. */
export async function requireNoRechargePause(deps: Pick<Deps, 'settings' | 'clock'>): Promise<void> {
  const pause = await readRechargePause(deps)
  if (pause?.isNow) fail('RECHARGE_PAUSED', { resumes: pause.resumes })
}

export const rechargeFee: Handler<typeof paymentsContract.rechargeFee> = async (ctx, { channelType }) => {
  if (channelType === BALANCE_CHANNEL_TYPE) return { fee: '0' }
  if (!findChannelById(ctx, channelType)) fail('CHANNEL_UNAVAILABLE')
  return { fee: toPercentFraction((await resolveFeeTerms(ctx, channelType, ORDER_TYPE.RECHARGE)).feePercent) }
}

/** Default fee and bounds of an API balance top-up, where no channel overrides them: percent text and dollar texts. */
export async function readRechargeTerms(settings: Settings): Promise<{ feePercent: string; min: string; max: string }> {
  const percents = await settings.get(feePercents)
  const key = String(ORDER_TYPE.OPENAI_API)
  const amounts = (await settings.get(amountsSetting))[key] ?? amountsSetting.fallback[key]!
  return { feePercent: percents['default'] ?? feePercents.fallback['default']!, min: amounts.min, max: amounts.max }
}

const NO_FIGURES = { amount: null, fee: null, total: null, payAmount: null }

export const quote: Handler<typeof paymentsContract.quote> = async (ctx, { orderType, amount, channelType }) => {
  const offer =
    channelType === BALANCE_CHANNEL_TYPE
      ? { id: BALANCE_CHANNEL_TYPE, ...(await computeBalanceOffer(ctx, orderType)) }
      : await quoteChannel(ctx, orderType, channelType)
  const { id, feePercent, fixedFee, currency, rate, min, max, presets } = offer
  if (amount !== undefined) checkAmount(amount, { min, max })
  const offered = await computeOfferedDiscount(ctx, ctx.db, { userId: ctx.userId, orderType, channelType: id })
  const figures = amount === undefined ? NO_FIGURES : formatFigures(computePriceFigures(amount, offer, { rate, discount: capDiscount(amount, offered) }))
  return { ...formatDiscount(offered), ...figures, feePercent, fixedFee, rate, payCurrency: currency, orderType, channelType: id, min, max, presets }
}

async function quoteChannel(ctx: Ctx, orderType: number, channelType?: number) {
  const offer = await computeOffer(ctx, orderType, { channelType, way: await resolveRegionMethod(ctx) })
  return { ...offer, id: offer.channel.manifest.id }
}
