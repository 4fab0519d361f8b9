import type { Handler } from '#platform/server/feature.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { ChannelRow, paymentsContract } from '../../contract.ts'
import { isClosed, offerFor } from '../offer.ts'
import { channelsOf } from '../vendors/index.ts'

/** Every method that this device can use. A method that cannot take the amount is shown, but closed. */
export const channelList: Handler<typeof paymentsContract.channelList> = async (ctx, { orderType, orderAmount, device }) => {
  const tradeFrom = device ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const rows: ChannelRow[] = []
  for (const { manifest } of channelsOf(ctx.config)) {
    const { feePercent, min, max, currency, rate } = await offerFor(ctx, orderType, manifest.id)
    const outside = orderAmount !== undefined && (parseUsd(orderAmount) < parseUsd(min) || parseUsd(orderAmount) > parseUsd(max))
    for (const { transactionType, forms, label, advantages, tipsTop, tipsBottom, gradualOnly = false } of manifest.methods) {
      const form = forms[tradeFrom]
      if (!form || gradualOnly) continue
      rows.push({
        channelType: manifest.id,
        transactionType,
        tradeFrom,
        form,
        name: label[ctx.lang],
        img: `/pay/icons/${manifest.name}-${transactionType}.svg`,
        advantages: advantages.map((words) => words[ctx.lang]),
        tipsTop: tipsTop[ctx.lang],
        tipsBottom: tipsBottom[ctx.lang],
        feePercent,
        payCurrency: currency,
        rate,
        min,
        max,
        disabled: outside || (await isClosed(ctx, manifest.id, transactionType)),
        gradualOnly,
      })
    }
  }
  return rows
}
