import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { atLeast, least, minus, parseUsd, plus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { contactOf } from '#features/account/server/door.ts'
import { standingOf } from '#features/identity/server/door.ts'
import { monthOf } from '../figures.ts'
import type { Card } from '../cards/data.ts'
import { memberOf } from '../members/data.ts'
import { cardPrices, flagged, rechargeLimits } from '../settings.ts'
import type { CardPrices, RechargeLimits } from '../settings.ts'
import { openMoves, rechargedOver } from './data.ts'

export interface RechargeBounds {
  readonly min: Nano
  readonly max: Nano
  readonly presets: readonly string[]
  /** Activation fee of the first recharge, deducted from the amount. */
  readonly fee: Nano
  /** Remaining monthly limit over this channel; undefined: unlimited. */
  readonly monthLeft: Nano | undefined
}

/** Bounds of one recharge of this card over this channel. */
export async function boundsOf(deps: Deps, sql: Sql, card: Card, channelType: number): Promise<RechargeBounds> {
  const rules = await deps.settings.get(rechargeLimits)
  const isFirst = await isFirstRecharge(sql, card)
  const { verified } = await standingOf(sql, card.user_id)
  const isRegion = await isOfRegion(sql, card.user_id)
  const channelMonth = rules.channelMonth[String(channelType)]
  const now = deps.clock.now()
  const used = channelMonth === undefined ? 0n : await rechargedOver(sql, card.user_id, channelType, monthOf(now))
  const monthLeft = channelMonth === undefined ? undefined : atLeast(minus(parseUsd(channelMonth), used), 0n)
  const prices = await deps.settings.get(cardPrices)
  const min = floorOf(rules, isRegion, channelType, isFirst ? firstMinimum(rules, prices) : parseUsd(rules.min))
  const { max: flaggedMax, users } = await deps.settings.get(flagged)
  const most = users.includes(card.user_id) ? flaggedMax : verified ? rules.maxIdentified : rules.max
  const max = least(parseUsd(most), ...(monthLeft === undefined ? [] : [monthLeft]))
  const fits = presetsFor(rules, isRegion, channelType).filter((each) => parseUsd(each) >= min && parseUsd(each) <= max)
  // the least of a first recharge is no round sum: without it the smallest preset would be far above
  const presets = (isFirst && min <= max ? [...new Set([usd(min), ...fits])] : fits).slice(0, 3)
  return { min, max, presets, fee: isFirst ? parseUsd(prices.activation) : 0n, monthLeft }
}

const isOfRegion = async (sql: Sql, userId: string) => /^\+85[23]/.test((await contactOf(sql, userId))?.mobile ?? '')

const floorOf = (rules: RechargeLimits, isRegion: boolean, channelType: number, usual: Nano): Nano =>
  [...(isRegion ? [rules.minRegion] : []), rules.channelMinimum[String(channelType)] ?? '0'].map(parseUsd).reduce((high, next) => atLeast(high, next), usual)

const presetsFor = (rules: RechargeLimits, isRegion: boolean, channelType: number) =>
  isRegion || channelType in rules.channelMinimum ? rules.presetsRegion : rules.presets

/** Bounds of an order of type 0 before its card is known: the widest that any card of the buyer may have. */
export async function rechargeOrderBounds(deps: Deps, { userId, channelType }: { readonly userId?: string | undefined; readonly channelType: number }) {
  const rules = await deps.settings.get(rechargeLimits)
  const isRegion = userId !== undefined && (await isOfRegion(deps.db, userId))
  const min = usd(floorOf(rules, isRegion, channelType, parseUsd(rules.min)))
  return { min, max: rules.maxIdentified, presets: [...presetsFor(rules, isRegion, channelType)] }
}

/** Minimum of a first recharge, which leaves the sum of the setting on the card after the activation fee. */
export const firstMinimum = (rules: RechargeLimits, prices: CardPrices): Nano => plus(parseUsd(rules.first), parseUsd(prices.activation))

/** True until one recharge is done or in progress. */
async function isFirstRecharge(sql: Sql, card: Card): Promise<boolean> {
  return !card.activated && !(await openMoves(sql, card.id)).some(({ kind, to_card }) => kind === 'recharge' && to_card === card.id)
}

/** Refuses a recharge that the card, its member or a limit does not allow. */
export async function checkRecharge(deps: Deps, sql: Sql, card: Card, amount: Nano, channelType: number): Promise<RechargeBounds> {
  await refuseRecharge(deps, sql, card)
  const bounds = await boundsOf(deps, sql, card, channelType)
  if (amount > bounds.max) fail('CARD_RECHARGE_LIMIT', { max: usd(bounds.max) })
  if (amount < bounds.min) fail('CARD_RECHARGE_TOO_SMALL', { min: usd(bounds.min) })
  return bounds
}

/** Refuses every recharge while the card cannot take money. */
export async function refuseRecharge(deps: Deps, sql: Sql, card: Card): Promise<void> {
  const now = deps.clock.now()
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state !== 'active' && card.state !== 'frozen') fail('CARD_NOT_READY')
  if (card.must_change) fail('CARD_MUST_CHANGE')
  if (card.valid_until && card.valid_until <= now) fail('CARD_EXPIRED')
  const member = await memberOf(sql, card.user_id)
  if (!member || member.until <= now) fail('MEMBER_EXPIRED')
  if (card.frozen_by === 'risk' || card.frozen_by === 'issuer') fail('CARD_RECHARGE_NOT_NOW')
}
