import type { Ctx, Handler } from '#platform/server/feature.ts'
import { atLeast, minus, parseUsd, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { inGradualGroup } from '#features/account/server/door.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import type { paymentsContract } from '../../contract.ts'
import type { ChannelRow } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { BALANCE_CHANNEL } from '../../words.ts'
import type { TradeFrom } from '../../words.ts'
import { discountText } from '../../figures.ts'
import { discountOffered } from '../kinds/discounts.ts'
import { kindOf } from '../kinds/index.ts'
import { balanceOffer, closedWhy, isClosed, isGradual, offerFor, takesBalance } from './offer.ts'
import { isRegionWay, regionWay } from './region.ts'
import { channelsOf } from '../vendors/index.ts'
import type { PayMethod } from '../vendors/port.ts'

/** Every method that this device can use. A method that cannot take the amount is shown, but closed. */
export const channelList: Handler<typeof paymentsContract.channelList> = async (ctx, { orderType, orderAmount, device }) => {
  const tradeFrom = device ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const rows: ChannelRow[] = []
  const way = await regionWay(ctx)
  const inGroup = await inGradualGroup(ctx, ctx.userId)
  // one for every method that names its payers, and one for the others: asked for once each
  const discounts = new Map<boolean, Promise<Nano>>()
  const discountAt = async (channelType: number, { transactionType, anonymous }: PayMethod) => {
    const asked = { userId: ctx.userId, orderType, channelType, transactionType }
    const offered = discounts.get(anonymous === true) ?? discountOffered(ctx, ctx.db, asked)
    discounts.set(anonymous === true, offered)
    return discountText(await offered)
  }
  for (const { manifest } of channelsOf(ctx.config)) {
    const { feePercent, fixedFee, min, max, currency, rate } = await offerFor(ctx, orderType, manifest.id, way)
    const outside = isOutside(orderAmount, min, max)
    for (const method of manifest.methods) {
      const { transactionType, forms, label, advantages, tipsTop, tipsBottom } = method
      const form = forms[tradeFrom]
      if (!form || !isRegionWay(way, manifest.id, transactionType)) continue
      const gradualOnly = await isGradual(ctx, manifest.id, method)
      if (gradualOnly && !inGroup) continue
      const why = await closedWhy(ctx, manifest.id, transactionType)
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
        fixedFee,
        payCurrency: currency,
        rate,
        ...(await discountAt(manifest.id, method)),
        min,
        max,
        disabled: outside || why !== null,
        closedWhy: why,
        gradualOnly,
      })
    }
  }
  const balance = await balanceRow(ctx, orderType, tradeFrom, orderAmount)
  if (!balance) return rows
  // A sufficient balance is the quickest way to pay and comes first; otherwise last, so that it is not preselected.
  return balance.disabled ? [...rows, balance] : [balance, ...rows]
}

const isOutside = (amount: string | undefined, min: string, max: string) =>
  amount !== undefined && (parseUsd(amount) < parseUsd(min) || parseUsd(amount) > parseUsd(max))

/** Row of the balance, where the order type accepts it and the customer has one. An insufficient one shows what is missing. */
async function balanceRow(ctx: Ctx, orderType: number, tradeFrom: TradeFrom, orderAmount: string | undefined): Promise<ChannelRow | undefined> {
  if (!takesBalance(orderType) || (await isClosed(ctx, BALANCE_CHANNEL, 0))) return undefined
  const { posted, available: all, withdrawable } = await balanceOf(ctx.db, ctx.userId)
  const available = kindOf(orderType)?.bought === 'all' ? withdrawable : all
  if (posted <= 0n) return undefined
  const { min, max, feePercent, fixedFee, currency, rate } = await balanceOffer(ctx, orderType)
  const missing = orderAmount === undefined ? 0n : atLeast(minus(parseUsd(orderAmount), available), 0n)
  const texts = paymentTexts[ctx.lang]
  return {
    channelType: BALANCE_CHANNEL,
    transactionType: 0,
    tradeFrom,
    form: 'balance',
    name: texts.method_0,
    img: '/pay/icons/balance-0.svg',
    advantages: [texts.balance_no_fee],
    tipsTop: '',
    tipsBottom: '',
    feePercent,
    fixedFee,
    payCurrency: currency,
    rate,
    min,
    max,
    disabled: missing > 0n || isOutside(orderAmount, min, max),
    closedWhy: null,
    gradualOnly: false,
    balance: usd(available),
    missing: usd(missing),
  }
}
