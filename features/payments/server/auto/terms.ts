import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { findContact } from '#features/account/server/door.ts'
import { computePriceFigures } from '../../figures.ts'
import type { FeeTerms, PriceFigures } from '../../figures.ts'
import { ORDER_TYPE } from '../../words.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import { checkAmount } from '../kinds/bounds.ts'
import { isMethodClosed, computeOffer } from '../offer/offer.ts'
import { listChannels } from '../vendors/index.ts'
import type { AgreedMethod, Agreements, Channel, PayMethod } from '../vendors/port.ts'
import type { AutoPlanLimits } from '../plans/data-plans.ts'
import { autoBounds, autoLeadMinutes, autoOpen } from './settings.ts'

/** A payment method that can be stored, and the price of a charge with it today. */
export interface StoredMethodTerms extends FeeTerms {
  readonly channel: Channel
  readonly agreements: Agreements
  readonly agreed: AgreedMethod
  readonly method: PayMethod
  readonly currency: PayCurrency
  readonly rate: string
  readonly min: string
  readonly max: string
}

/** Payment methods that this installation can store. */
export async function listMethodTerms(deps: Deps): Promise<StoredMethodTerms[]> {
  const all: StoredMethodTerms[] = []
  for (const channel of listChannels(deps)) {
    const { agreements } = channel
    if (!agreements) continue
    const { feePercent, fixedFee, currency, rate, min, max } = await computeOffer(deps, ORDER_TYPE.OPENAI_API, { channelType: channel.manifest.id })
    const { amountMax } = await deps.settings.get(autoBounds)
    const most = parseUsd(amountMax) < parseUsd(max) ? amountMax : max
    for (const agreed of agreements.methods) {
      const method = channel.manifest.methods.find(({ transactionType }) => transactionType === agreed.transactionType)
      if (!method || (await isMethodClosed(deps, channel.manifest.id, agreed.transactionType))) continue
      all.push({ channel, agreements, agreed, method, feePercent, fixedFee, currency, rate, min, max: most })
    }
  }
  return all
}

/**
 * Payment methods that this user can store. Users with a Hong Kong or Macao phone number get only those that the channel offers in that
 * region.
 */
export async function listUserMethodTerms(ctx: Ctx): Promise<StoredMethodTerms[]> {
  const all = await listMethodTerms(ctx)
  return (await isFromHongKong(ctx.db, ctx.userId)) ? all.filter(({ agreed }) => agreed.hongKong) : all
}

async function isFromHongKong(sql: Sql, userId: string): Promise<boolean> {
  return /^\+85[23]/.test((await findContact(sql, userId))?.mobile ?? '')
}

export const findMethodTerms = (all: readonly StoredMethodTerms[], channelType: number, transactionType: number): StoredMethodTerms | undefined =>
  all.find(({ channel, agreed }) => channel.manifest.id === channelType && agreed.transactionType === transactionType)

/** Terms of a stored method, including one no longer offered to new users. */
export function findAgreementChannel(deps: Deps, channelType: number): { channel: Channel; agreements: Agreements } | undefined {
  const channel = listChannels(deps).find(({ manifest }) => manifest.id === channelType)
  return channel?.agreements && { channel, agreements: channel.agreements }
}

export interface LimitInputs {
  readonly threshold: string
  readonly amount: string
  readonly dayMost: string
  readonly monthMost: string
}

/** Errors: AMOUNT_TOO_SMALL, AMOUNT_TOO_LARGE, AUTO_CEILING, each with its bounds. */
export async function checkLimits(deps: Deps, terms: StoredMethodTerms, wish: LimitInputs): Promise<{ limits: AutoPlanLimits; figures: PriceFigures }> {
  const bounds = await deps.settings.get(autoBounds)
  checkAmount(wish.threshold, { min: bounds.thresholdMin, max: bounds.thresholdMax })
  checkAmount(wish.amount, terms)
  const figures = computePriceFigures(wish.amount, terms, { rate: terms.rate })
  if (terms.agreed.mostMinor !== undefined && figures.payMinor > terms.agreed.mostMinor) fail('AMOUNT_TOO_LARGE', { max: terms.max })
  const [threshold, dayMost, monthMost] = [parseUsd(wish.threshold), parseUsd(wish.dayMost), parseUsd(wish.monthMost)]
  if (dayMost < figures.total || dayMost > parseUsd(bounds.dayMax)) fail('AUTO_CEILING', { min: formatUsd(figures.total), max: bounds.dayMax })
  if (monthMost < dayMost || monthMost > parseUsd(bounds.monthMax)) fail('AUTO_CEILING', { min: wish.dayMost, max: bounds.monthMax })
  return { limits: { threshold, amount: figures.amount, dayMost, monthMost }, figures }
}

export async function requireAutoRechargeOpen(deps: Deps): Promise<void> {
  if (!(await deps.settings.get(autoOpen))) fail('AUTO_CLOSED')
}

/** Minutes between the mail and the charge: the setting, or the channel's minimum if larger. */
export async function readLeadMinutes(deps: Deps, agreed: AgreedMethod): Promise<number> {
  return Math.max(await deps.settings.get(autoLeadMinutes), agreed.noticeMinutes)
}

/** Terms as mailed, audited and displayed. */
export function formatLimits({ threshold, amount, dayMost, monthMost }: AutoPlanLimits): LimitInputs {
  return { threshold: formatUsd(threshold), amount: formatUsd(amount), dayMost: formatUsd(dayMost), monthMost: formatUsd(monthMost) }
}
