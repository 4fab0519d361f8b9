import { fail } from '#platform/shared/errors.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { TradeFrom } from '../words.ts'
import type { Amounts } from './settings.ts'
import { amountsSetting, closedChannels, cnyRate, feePercents, shownPresets } from './settings.ts'
import { channelById, channels } from './vendors/index.ts'
import type { Channel, PayMethod } from './vendors/port.ts'

/** What an order of one type costs at one channel, today. */
export interface Offer {
  readonly channel: Channel
  readonly feePercent: string
  readonly rate: string
  readonly min: string
  readonly max: string
  readonly presets: string[]
}

export async function offerFor(deps: Deps, orderType: number, channelType?: number): Promise<Offer> {
  const channel = channelType === undefined ? channels[0] : channelById(channelType)
  if (!channel) fail('CHANNEL_UNAVAILABLE')
  const { id } = channel.manifest
  const { min, max, presets } = await amountsOf(deps, orderType, id)
  const within = presets.filter((preset) => parseUsd(preset) >= parseUsd(min) && parseUsd(preset) <= parseUsd(max))
  return {
    channel,
    min,
    max,
    presets: within.slice(0, await deps.settings.get(shownPresets)),
    feePercent: await feePercentOf(deps, id),
    rate: await deps.settings.get(cnyRate),
  }
}

async function amountsOf(deps: Deps, orderType: number, channelType: number): Promise<Amounts> {
  const all = await deps.settings.get(amountsSetting)
  return all[`${orderType}:${channelType}`] ?? all[String(orderType)] ?? fail('ORDER_TYPE_CLOSED')
}

export async function feePercentOf(deps: Deps, channelType: number): Promise<string> {
  const percents = await deps.settings.get(feePercents)
  return percents[String(channelType)] ?? percents['default'] ?? feePercents.fallback['default']!
}

/** Refuses an amount outside the bounds, and says which. */
export function checkAmount(amount: string, { min, max }: Pick<Offer, 'min' | 'max'>): void {
  if (parseUsd(amount) < parseUsd(min)) fail('AMOUNT_TOO_SMALL', { min })
  if (parseUsd(amount) > parseUsd(max)) fail('AMOUNT_TOO_LARGE', { max })
}

export async function isClosed(deps: Deps, channelType: number, transactionType: number): Promise<boolean> {
  const closed = await deps.settings.get(closedChannels)
  return closed.includes(String(channelType)) || closed.includes(`${channelType}:${transactionType}`)
}

/** The method asked for, or the channel's first on this device. */
export async function methodOf(deps: Deps, channel: Channel, tradeFrom: TradeFrom, transactionType?: number): Promise<PayMethod> {
  const method = channel.manifest.methods.find((each) => each.forms[tradeFrom] && (transactionType === undefined || each.transactionType === transactionType))
  if (!method || (await isClosed(deps, channel.manifest.id, method.transactionType))) fail('CHANNEL_UNAVAILABLE')
  return method
}
