import type { Ctx, Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { capDiscount, formatDiscount, computePriceFigures, formatFigures } from '../../figures.ts'
import { BALANCE_CHANNEL_TYPE } from '../../words.ts'
import { checkAmount } from '../kinds/bounds.ts'
import { computeBalanceOffer, computeOffer } from './offer.ts'
import { computeOfferedDiscount } from '../kinds/discounts.ts'
import { resolveRegionMethod } from './region.ts'

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
