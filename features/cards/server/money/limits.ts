import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { maxNano, minNano, subtractNano, parseUsd, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { findContact } from '#features/account/server/door.ts'
import { readIdentityStatus } from '#features/identity/server/door.ts'
import { toShanghaiMonth } from '../figures.ts'
import type { Card } from '../cards/data.ts'
import { selectMember } from '../members/data.ts'
import { cardPrices, flagged, rechargeLimits } from '../settings.ts'
import type { CardPrices, RechargeLimits } from '../settings.ts'
import { selectOpenMoves, sumRecharges } from './data.ts'

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
export async function computeRechargeBounds(
  deps: Deps,
  sql: Sql,
  { card, channelType }: { readonly card: Card; readonly channelType: number },
): Promise<RechargeBounds> {
  const rules = await deps.settings.get(rechargeLimits)
  const isFirst = await isFirstRecharge(sql, card)
  const { verified } = await readIdentityStatus(sql, card.userId)
  const isRegion = await isHkOrMacauUser(sql, card.userId)
  const channelMonth = rules.channelMonth[String(channelType)]
  const now = deps.clock.now()
  const used = channelMonth === undefined ? 0n : await sumRecharges(sql, card.userId, { channelType, month: toShanghaiMonth(now) })
  const monthLeft = channelMonth === undefined ? undefined : maxNano(subtractNano(parseUsd(channelMonth), used), 0n)
  const prices = await deps.settings.get(cardPrices)
  const min = computeMinimum(rules, isRegion, { channelType, usual: isFirst ? computeFirstMinimum(rules, prices) : parseUsd(rules.min) })
  const { max: flaggedMax, users } = await deps.settings.get(flagged)
  const most = users.includes(card.userId) ? flaggedMax : verified ? rules.maxIdentified : rules.max
  const max = minNano(parseUsd(most), ...(monthLeft === undefined ? [] : [monthLeft]))
  const fits = buildPresets(rules, isRegion, channelType).filter((each) => parseUsd(each) >= min && parseUsd(each) <= max)
  // the minimum of a first recharge is not a round sum: without it, the smallest preset would be far above
  const presets = (isFirst && min <= max ? [...new Set([formatUsd(min), ...fits])] : fits).slice(0, 3)
  return { min, max, presets, fee: isFirst ? parseUsd(prices.activation) : 0n, monthLeft }
}

const isHkOrMacauUser = async (sql: Sql, userId: string) => /^\+85[23]/.test((await findContact(sql, userId))?.mobile ?? '')

const computeMinimum = (rules: RechargeLimits, isRegion: boolean, { channelType, usual }: { readonly channelType: number; readonly usual: Nano }): Nano =>
  [...(isRegion ? [rules.minRegion] : []), rules.channelMinimum[String(channelType)] ?? '0'].map(parseUsd).reduce((high, next) => maxNano(high, next), usual)

const buildPresets = (rules: RechargeLimits, isRegion: boolean, channelType: number) =>
  isRegion || channelType in rules.channelMinimum ? rules.presetsRegion : rules.presets

/** Bounds of an order of type 0 before its card is known: the widest that any card of the buyer may have. */
export async function computeRechargeOrderBounds(deps: Deps, { userId, channelType }: { readonly userId?: string | undefined; readonly channelType: number }) {
  const rules = await deps.settings.get(rechargeLimits)
  const isRegion = userId !== undefined && (await isHkOrMacauUser(deps.db, userId))
  const min = formatUsd(computeMinimum(rules, isRegion, { channelType, usual: parseUsd(rules.min) }))
  return { min, max: rules.maxIdentified, presets: [...buildPresets(rules, isRegion, channelType)] }
}

/** Minimum of a first recharge, which leaves the sum of the setting on the card after the activation fee. */
export const computeFirstMinimum = (rules: RechargeLimits, prices: CardPrices): Nano => addNano(parseUsd(rules.first), parseUsd(prices.activation))

/** True until one recharge is done or in progress. */
async function isFirstRecharge(sql: Sql, card: Card): Promise<boolean> {
  return !card.activated && !(await selectOpenMoves(sql, card.id)).some(({ kind, toCard }) => kind === 'recharge' && toCard === card.id)
}

/** Refuses a recharge that the card, its member or a limit does not allow. */
export async function checkRecharge(
  deps: Deps,
  sql: Sql,
  { card, amount, channelType }: { readonly card: Card; readonly amount: Nano; readonly channelType: number },
): Promise<RechargeBounds> {
  await refuseRecharge(deps, sql, card)
  const bounds = await computeRechargeBounds(deps, sql, { card, channelType })
  if (amount > bounds.max) fail('CARD_RECHARGE_LIMIT', { max: formatUsd(bounds.max) })
  if (amount < bounds.min) fail('CARD_RECHARGE_TOO_SMALL', { min: formatUsd(bounds.min) })
  return bounds
}

/** Refuses every recharge while the card cannot take money. */
export async function refuseRecharge(deps: Deps, sql: Sql, card: Card): Promise<void> {
  const now = deps.clock.now()
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state !== 'active' && card.state !== 'frozen') fail('CARD_NOT_READY')
  if (card.mustChange) fail('CARD_MUST_CHANGE')
  if (card.validUntil && card.validUntil <= now) fail('CARD_EXPIRED')
  const member = await selectMember(sql, card.userId)
  if (!member || member.until <= now) fail('MEMBER_EXPIRED')
  if (card.frozenBy === 'risk' || card.frozenBy === 'issuer') fail('CARD_RECHARGE_NOT_NOW')
}
