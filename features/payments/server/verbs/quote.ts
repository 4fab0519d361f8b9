import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { figuresOf, figureTexts } from '../../figures.ts'
import { checkAmount } from '../bounds.ts'
import { offerFor } from '../offer.ts'

const NO_FIGURES = { amount: null, fee: null, total: null, payAmount: null }

export const quote: Handler<typeof paymentsContract.quote> = async (ctx, { orderType, amount, channelType }) => {
  const { channel, feePercent, currency, rate, min, max, presets } = await offerFor(ctx, orderType, channelType)
  if (amount !== undefined) checkAmount(amount, { min, max })
  const figures = amount === undefined ? NO_FIGURES : figureTexts(figuresOf(amount, feePercent, rate))
  return { ...figures, feePercent, rate, payCurrency: currency, orderType, channelType: channel.manifest.id, min, max, presets }
}
