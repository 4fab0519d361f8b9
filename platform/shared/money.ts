/**
 * Money is an integer number of nano-dollars (1e-9 USD) in a bigint, everywhere.
 * On the wire it is a plain decimal string of dollars ("24.1"), never a number.
 * Source: docs/decisions/amounts-and-movements.md. This is the only file that does arithmetic on it.
 */
export type Nano = bigint

export const NANO_PER_USD = 1_000_000_000n
export const NANO_PER_CENT = 10_000_000n

/** "12.34" -> nano-dollars. Throws on anything but a plain decimal with at most nine places. */
export function parseUsd(text: string): Nano {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) throw new RangeError(`not a dollar amount: ${JSON.stringify(text).slice(0, 40)}`)
  const nano = BigInt(match[2]!) * NANO_PER_USD + BigInt((match[3] ?? '').padEnd(9, '0'))
  return match[1] ? -nano : nano
}

/** nano-dollars -> exact decimal string without trailing zeros: 24100000000n -> "24.1". */
export function formatUsd(nano: Nano): string {
  const sign = nano < 0n ? '-' : ''
  const abs = nano < 0n ? -nano : nano
  const fraction = (abs % NANO_PER_USD).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${abs / NANO_PER_USD}${fraction ? `.${fraction}` : ''}`
}

/** Division of non-negative amounts that rounds up. */
export function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** Fee on an amount, percent as decimal text ("3.5"), rounded up to the cent (docs/decisions/amounts-and-movements.md). */
export function computePercentFee(amount: Nano, percent: string): Nano {
  const rate = parseUsd(percent)
  return divideUp(amount * rate, 100n * NANO_PER_USD * NANO_PER_CENT) * NANO_PER_CENT
}

/** Dollars to another currency's minor units (cents, fen) at `rate` (decimal text), rounded up. */
export function toMinorUnits(amount: Nano, rate: string): bigint {
  return divideUp(amount * parseUsd(rate), NANO_PER_USD * NANO_PER_CENT)
}

/** Minor units as text with two places: 14745n -> "147.45". */
export function formatMinor(minor: bigint): string {
  const sign = minor < 0n ? '-' : ''
  const abs = minor < 0n ? -minor : minor
  return `${sign}${abs / 100n}.${(abs % 100n).toString().padStart(2, '0')}`
}

/** "147.45" -> 14745n, as channels write amounts. Throws unless the text is an exact amount. */
export function parseMinor(text: string): bigint {
  const [, whole, part = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) throw new Error('not an amount in minor units')
  return BigInt(whole + part.padEnd(2, '0'))
}

/**
 * Price of `tokens` at nano-dollars per million tokens, exact to the nano-dollar, rounded up:
 * prices have at most nine decimals, so one token can cost a fraction of a nano-dollar.
 */
export function computeTokenCost(tokens: number | bigint, nanoPerMillion: Nano): Nano {
  return divideUp(BigInt(tokens) * nanoPerMillion, 1_000_000n)
}

/** Total of amounts; 0n for none. */
export function sumNano(amounts: readonly Nano[]): Nano {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** `from` minus `amount`; may be negative. */
export function subtractNano(from: Nano, amount: Nano): Nano {
  return from - amount
}

/** The largest number of tokens whose `computeTokenCost` is within `budget`. A price of zero returns none, since no limit is needed. */
export function countAffordableTokens(budget: Nano, nanoPerMillion: Nano): number {
  return budget <= 0n || nanoPerMillion <= 0n ? 0 : Number((budget * 1_000_000n) / nanoPerMillion)
}

/** Minor units (cents, fen) as nano-units of the same currency. */
export function minorToNano(minor: bigint): Nano {
  return minor * NANO_PER_CENT
}

/** Percent as a fraction: "3.5" -> "0.035". */
export function toPercentFraction(percent: string): string {
  return formatUsd(parseUsd(percent) / 100n)
}

/** The largest single amount: one billion dollars. Nine times that still fits a database bigint. */
export const MAX_AMOUNT: Nano = 1_000_000_000n * NANO_PER_USD

/** True if a value of unknown origin is an amount that may be transferred: a bigint from 1 to MAX_AMOUNT. */
export function isAmount(value: unknown): value is Nano {
  return typeof value === 'bigint' && value > 0n && value <= MAX_AMOUNT
}

/** The smallest of one or more amounts. */
export function minNano(one: Nano, ...others: readonly Nano[]): Nano {
  let low = one
  for (const next of others) if (next < low) low = next
  return low
}

/**
 * Splits a non-negative whole by weights so that the parts add up to it: each part is rounded down, the units left over
 * go one each to the largest remainders, earlier parts first. At least one weight must be positive.
 */
export function allocate(whole: Nano, weights: readonly bigint[]): Nano[] {
  const all = sumNano(weights)
  if (whole < 0n || all <= 0n || weights.some((weight) => weight < 0n)) throw new RangeError('cannot split by these weights')
  const parts = weights.map((weight) => (whole * weight) / all)
  const left = Number(whole - sumNano(parts))
  const byRemainder = weights
    .map((weight, index) => ({ index, rest: (whole * weight) % all }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))
  for (const { index } of byRemainder.slice(0, left)) parts[index]! += 1n
  return parts
}

/** Sum of `a` and `b`. */
export function addNano(a: Nano, b: Nano): Nano {
  return a + b
}

/** The larger of two amounts. */
export function maxNano(amount: Nano, floor: Nano): Nano {
  return amount > floor ? amount : floor
}

/** A factor as decimal text ("1.1"), in millionths. */
export function parseMillionths(decimal: string): bigint {
  return parseUsd(decimal) / 1_000n
}

/** A price times factors in millionths, rounded up once. */
export function applyFactors(price: Nano, factors: readonly bigint[]): Nano {
  if (factors.length === 0) return price
  let value = price
  let by = 1n
  for (const factor of factors) {
    value *= factor
    by *= 1_000_000n
  }
  return divideUp(value, by)
}

/** `count` times `amount`. */
export function multiplyNano(amount: Nano, count: number): Nano {
  return amount * BigInt(count)
}

/** Whole days that `balance` lasts if `spent` was used in `days` days; undefined if nothing was spent. */
export function countDaysLeft(balance: Nano, spent: Nano, days: number): number | undefined {
  if (spent <= 0n) return undefined
  return balance <= 0n ? 0 : Number((balance * BigInt(days)) / spent)
}

/** A dollar price in another currency at `rate` (decimal text), to the nano-unit, rounded up: for price lists, not for payments. */
export function convertUsd(amount: Nano, rate: string): Nano {
  return divideUp(amount * parseUsd(rate), NANO_PER_USD)
}

/** `whole` times `part` / `all`, rounded down, at most `whole`: the share of a payment that belongs to a part of its order. */
export function computePartShare(whole: bigint, part: Nano, all: Nano): bigint {
  return all <= 0n ? 0n : (whole * minNano(part, all)) / all
}

/** Minor units of another currency in dollars at `rate` (that currency for one dollar), rounded down. */
export function fromMinorUnits(minor: bigint, rate: string): Nano {
  return (minor * NANO_PER_CENT * NANO_PER_USD) / parseUsd(rate)
}

/** Dollars to another currency's minor units (cents, fen) at `rate` (decimal text), rounded down: what we pay out. */
export function toMinorUnitsDown(amount: Nano, rate: string): bigint {
  return (amount * parseUsd(rate)) / (NANO_PER_USD * NANO_PER_CENT)
}

/** A non-negative amount rounded down to whole cents. */
export function floorToCents(amount: Nano): Nano {
  return (amount / NANO_PER_CENT) * NANO_PER_CENT
}

/** Percent of an amount in minor units, rounded half up, as channels charge. */
export function computeMinorPercent(minor: bigint, percent: string): bigint {
  const hundred = 100n * NANO_PER_USD
  return (minor * parseUsd(percent) * 2n + hundred) / (2n * hundred)
}

/** Rounds a magnitude down, or up, to a multiple of the `places`th decimal. For shortened figures only, never for listed amounts. */
export function roundToPlaces(amount: Nano, places: number, to: 'down' | 'up'): Nano {
  const unit = 10n ** BigInt(9 - places)
  return (to === 'down' ? amount / unit : divideUp(amount, unit)) * unit
}

/** Rounds a non-negative amount to its `places`th decimal, half up: for estimates only. */
export function roundHalfUp(amount: Nano, places: number): Nano {
  const unit = 10n ** BigInt(9 - places)
  return ((amount + unit / 2n) / unit) * unit
}

/** Decimal text in units of the `places`th decimal of the dollar (cents with 2), as nano-dollars, rounded down. For vendors' reports. */
export function parseShiftedUsd(decimal: string, places: number): Nano {
  return parseUsd(decimal) / 10n ** BigInt(places)
}

/** `part` / `whole` in millionths, rounded down, at most a million; 0 of 0 is 0. */
export function computeShareMillionths(part: bigint, whole: bigint): number {
  if (part <= 0n) return 0
  return whole <= 0n ? 1_000_000 : Number(minNano((part * 1_000_000n) / whole, 1_000_000n))
}

/** `amount` times `part` / `whole`, rounded down: scales a total by the ratio that a sample has. */
export function scaleByRatio(amount: Nano, part: Nano, whole: Nano): Nano {
  return whole <= 0n ? 0n : (amount * part) / whole
}

/** Margin of a price over its cost, in basis points of the price; negative below cost. */
export function computeMarginBasisPoints(price: Nano, cost: Nano): number {
  return price <= 0n ? 0 : Number(((price - cost) * 10_000n) / price)
}
