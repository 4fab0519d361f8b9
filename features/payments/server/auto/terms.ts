import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, usd } from '#platform/shared/money.ts'
import { contactOf } from '#features/account/server/door.ts'
import { figuresOf } from '../../figures.ts'
import type { FeeTerms, Figures } from '../../figures.ts'
import { ORDER_TYPE } from '../../words.ts'
import type { PayCurrency } from '../../words.ts'
import { checkAmount } from '../kinds/bounds.ts'
import { isClosed, offerFor } from '../offer/offer.ts'
import { channelsOf } from '../vendors/index.ts'
import type { AgreedMethod, Agreements, Channel, PayMethod } from '../vendors/port.ts'
import type { Limits } from '../plans/data-plans.ts'
import { autoBounds, autoLeadMinutes, autoOpen } from './settings.ts'

/** A way to pay that can be stored, and what a charge costs there today. */
export interface Terms extends FeeTerms {
  readonly channel: Channel
  readonly agreements: Agreements
  readonly agreed: AgreedMethod
  readonly method: PayMethod
  readonly currency: PayCurrency
  readonly rate: string
  readonly min: string
  readonly max: string
}

/** Every way to pay that this installation can store. */
export async function allTerms(deps: Deps): Promise<Terms[]> {
  const all: Terms[] = []
  for (const channel of channelsOf(deps.config)) {
    const { agreements } = channel
    if (!agreements) continue
    const { feePercent, fixedFee, currency, rate, min, max } = await offerFor(deps, ORDER_TYPE.OPENAI_API, channel.manifest.id)
    const { amountMax } = await deps.settings.get(autoBounds)
    const most = parseUsd(amountMax) < parseUsd(max) ? amountMax : max
    for (const agreed of agreements.methods) {
      const method = channel.manifest.methods.find(({ transactionType }) => transactionType === agreed.transactionType)
      if (!method || (await isClosed(deps, channel.manifest.id, agreed.transactionType))) continue
      all.push({ channel, agreements, agreed, method, feePercent, fixedFee, currency, rate, min, max: most })
    }
  }
  return all
}

/** Payment methods that this user can store. Users with a Hong Kong or Macao phone number get only those that the channel offers there. */
export async function termsFor(ctx: Ctx): Promise<Terms[]> {
  const all = await allTerms(ctx)
  return (await isFromHongKong(ctx.db, ctx.userId)) ? all.filter(({ agreed }) => agreed.hongKong) : all
}

async function isFromHongKong(sql: Sql, userId: string): Promise<boolean> {
  return /^\+85[23]/.test((await contactOf(sql, userId))?.mobile ?? '')
}

export const termsOf = (all: readonly Terms[], channelType: number, transactionType: number): Terms | undefined =>
  all.find(({ channel, agreed }) => channel.manifest.id === channelType && agreed.transactionType === transactionType)

/** Terms of a stored method, whether or not it is still on offer to new ones. */
export function agreementsAt(deps: Deps, channelType: number): { channel: Channel; agreements: Agreements } | undefined {
  const channel = channelsOf(deps.config).find(({ manifest }) => manifest.id === channelType)
  return channel?.agreements && { channel, agreements: channel.agreements }
}

export interface WishedLimits {
  readonly threshold: string
  readonly amount: string
  readonly dayMost: string
  readonly monthMost: string
}

/** Errors: AMOUNT_TOO_SMALL, AMOUNT_TOO_LARGE, AUTO_CEILING (of each with its bounds). */
export async function checkLimits(deps: Deps, terms: Terms, wish: WishedLimits): Promise<{ limits: Limits; figures: Figures }> {
  const bounds = await deps.settings.get(autoBounds)
  checkAmount(wish.threshold, { min: bounds.thresholdMin, max: bounds.thresholdMax })
  checkAmount(wish.amount, terms)
  const figures = figuresOf(wish.amount, terms, terms.rate)
  if (terms.agreed.mostMinor !== undefined && figures.payMinor > terms.agreed.mostMinor) fail('AMOUNT_TOO_LARGE', { max: terms.max })
  const [threshold, dayMost, monthMost] = [parseUsd(wish.threshold), parseUsd(wish.dayMost), parseUsd(wish.monthMost)]
  if (dayMost < figures.total || dayMost > parseUsd(bounds.dayMax)) fail('AUTO_CEILING', { min: usd(figures.total), max: bounds.dayMax })
  if (monthMost < dayMost || monthMost > parseUsd(bounds.monthMax)) fail('AUTO_CEILING', { min: wish.dayMost, max: bounds.monthMax })
  return { limits: { threshold, amount: figures.amount, dayMost, monthMost }, figures }
}

export async function requireOpen(deps: Deps): Promise<void> {
  if (!(await deps.settings.get(autoOpen))) fail('AUTO_CLOSED')
}

/** Minutes between the mail and the charge: the setting's, or more where the channel wants more. */
export async function leadMinutesOf(deps: Deps, agreed: AgreedMethod): Promise<number> {
  return Math.max(await deps.settings.get(autoLeadMinutes), agreed.noticeMinutes)
}

/** As they are mailed, kept in the audit and shown. */
export function limitTexts({ threshold, amount, dayMost, monthMost }: Limits): WishedLimits {
  return { threshold: usd(threshold), amount: usd(amount), dayMost: usd(dayMost), monthMost: usd(monthMost) }
}
