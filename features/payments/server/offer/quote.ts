import type { Ctx, Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { discountFor, discountText, figuresOf, figureTexts } from '../../figures.ts'
import { BALANCE_CHANNEL } from '../../words.ts'
import { checkAmount } from '../kinds/bounds.ts'
import { balanceOffer, offerFor } from './offer.ts'
import { discountOffered } from '../kinds/discounts.ts'
import { regionWay } from './region.ts'

const NO_FIGURES = { amount: null, fee: null, total: null, payAmount: null }

export const quote: Handler<typeof paymentsContract.quote> = async (ctx, { orderType, amount, channelType }) => {
  const offer =
    channelType === BALANCE_CHANNEL ? { id: BALANCE_CHANNEL, ...(await balanceOffer(ctx, orderType)) } : await ofChannel(ctx, orderType, channelType)
  const { id, feePercent, fixedFee, currency, rate, min, max, presets } = offer
  if (amount !== undefined) checkAmount(amount, { min, max })
  const offered = await discountOffered(ctx, ctx.db, { userId: ctx.userId, orderType, channelType: id })
  const figures = amount === undefined ? NO_FIGURES : figureTexts(figuresOf(amount, offer, rate, discountFor(amount, offered)))
  return { ...discountText(offered), ...figures, feePercent, fixedFee, rate, payCurrency: currency, orderType, channelType: id, min, max, presets }
}

async function ofChannel(ctx: Ctx, orderType: number, channelType?: number) {
  const offer = await offerFor(ctx, orderType, channelType, await regionWay(ctx))
  return { ...offer, id: offer.channel.manifest.id }
}
