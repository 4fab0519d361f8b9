import type { Ctx, Handler } from '#platform/server/feature.ts'
import { maxNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { isInGradualGroup } from '#features/account/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import type { paymentsContract } from '../../contract.ts'
import type { ChannelRow } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { BALANCE_CHANNEL_TYPE } from '../../words.ts'
import type { TradeFrom } from '../../words.ts'
import { formatDiscount } from '../../figures.ts'
import { computeOfferedDiscount } from '../kinds/discounts.ts'
import { findOrderKind } from '../kinds/index.ts'
import {
  computeBalanceOffer,
  findClosedReason,
  isMethodClosed,
  isGradualMethod,
  computeOffer,
  acceptsBalance,
  isAllowedInRegion,
  resolveRegionMethod,
} from './offer.ts'
import { listChannels } from '../vendors/index.ts'
import type { PayMethod } from '../vendors/port.ts'

/** Every method usable on this device. A method that cannot take the amount is shown as closed. */
export const channelList: Handler<typeof paymentsContract.channelList> = async (ctx, { orderType, orderAmount, device }) => {
  const tradeFrom = device ?? (ctx.clientType === 2 ? 'H5' : 'QRCODE')
  const rows: ChannelRow[] = []
  const way = await resolveRegionMethod(ctx)
  const inGroup = await isInGradualGroup(ctx, ctx.userId)
  // Two discounts, each queried once: one for methods that identify their payers, one for the others.
  const discounts = new Map<boolean, Promise<Nano>>()
  const discountAt = async (channelType: number, { transactionType, anonymous }: PayMethod) => {
    const asked = { userId: ctx.userId, orderType, channelType, transactionType }
    const offered = discounts.get(anonymous === true) ?? computeOfferedDiscount(ctx, ctx.db, asked)
    discounts.set(anonymous === true, offered)
    return formatDiscount(await offered)
  }
  for (const { manifest } of listChannels(ctx)) {
    const { feePercent, fixedFee, min, max, currency, rate } = await computeOffer(ctx, orderType, { channelType: manifest.id, way })
    const outside = isOutsideBounds(orderAmount, min, max)
    for (const method of manifest.methods) {
      const { transactionType, forms, label, advantages, tipsTop, tipsBottom } = method
      const form = forms[tradeFrom]
      if (!form || !isAllowedInRegion(way, manifest.id, transactionType)) continue
      const gradualOnly = await isGradualMethod(ctx, manifest.id, method)
      if (gradualOnly && !inGroup) continue
      const why = await findClosedReason(ctx, manifest.id, transactionType)
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
  const balance = await buildBalanceRow(ctx, orderType, { tradeFrom, orderAmount })
  if (!balance) return rows
  // A sufficient balance is the quickest way to pay and comes first; otherwise last, so that it is not preselected.
  return balance.disabled ? [...rows, balance] : [balance, ...rows]
}

const isOutsideBounds = (amount: string | undefined, min: string, max: string) =>
  amount !== undefined && (parseUsd(amount) < parseUsd(min) || parseUsd(amount) > parseUsd(max))

/** Row of the balance, if the order type accepts it and the customer has one. An insufficient balance shows the missing amount. */
async function buildBalanceRow(
  ctx: Ctx,
  orderType: number,
  { tradeFrom, orderAmount }: { readonly tradeFrom: TradeFrom; readonly orderAmount: string | undefined },
): Promise<ChannelRow | undefined> {
  if (!acceptsBalance(orderType) || (await isMethodClosed(ctx, BALANCE_CHANNEL_TYPE, 0))) return undefined
  const { posted, available: all, withdrawable } = await readBalance(ctx.db, ctx.userId)
  const available = findOrderKind(orderType)?.bought === 'all' ? withdrawable : all
  if (posted <= 0n) return undefined
  const { min, max, feePercent, fixedFee, currency, rate } = await computeBalanceOffer(ctx, orderType)
  const missing = orderAmount === undefined ? 0n : maxNano(subtractNano(parseUsd(orderAmount), available), 0n)
  const texts = paymentTexts[ctx.lang]
  return {
    channelType: BALANCE_CHANNEL_TYPE,
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
    disabled: missing > 0n || isOutsideBounds(orderAmount, min, max),
    closedWhy: null,
    gradualOnly: false,
    balance: formatUsd(available),
    missing: formatUsd(missing),
  }
}
