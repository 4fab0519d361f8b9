import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { minorToNano, parseUsd, computePercentFee, toMinorUnitsDown } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { readIdentityStatus } from '#features/identity/server/door.ts'
import { cardFees, spendingLimits } from './settings.ts'

/** Fee of a purchase outside the home country. */
export async function computeForeignFee(deps: Pick<Deps, 'settings'>, country: string, amount: Nano): Promise<Nano> {
  const { abroadPercent, home } = await deps.settings.get(cardFees)
  return country.toUpperCase() === home || amount <= 0n ? 0n : computePercentFee(amount, abroadPercent)
}

/** Spending limit of a month, in nano-dollars: higher with a proven identity. */
export async function readSpendingLimit(deps: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<Nano> {
  const { month, monthIdentified } = await deps.settings.get(spendingLimits)
  return parseUsd((await readIdentityStatus(sql, userId)).verified ? monthIdentified : month)
}

/** First day of an instant's month in Shanghai. */
export const toShanghaiMonth = (at: Date): string => `${toShanghaiDay(at).slice(0, 7)}-01`

/** Midnight in Shanghai that begins the next month. */
export function computeNextMonthStart(at: Date): Date {
  const [year = 0, month = 0] = toShanghaiDay(at).split('-').map(Number)
  return new Date(Date.UTC(year, month, 1) - 8 * 3_600_000)
}

/** Amount in the currency of the merchant. */
export interface LocalAmount {
  readonly minor: string
  readonly currency: string
}

export const toLocalAmount = (local: { readonly minor: bigint; readonly currency: string } | undefined): LocalAmount | null =>
  local ? { minor: local.minor.toString(), currency: local.currency } : null

export const centsToNano = minorToNano
/** Converts an amount to cents; it must be a whole number of them. */
export const nanoToCents = (amount: Nano): bigint => toMinorUnitsDown(amount, '1')
