import { parseUsd, roundToPlaces, formatUsd } from './money.ts'
import type { Nano } from './money.ts'

/**
 * Formats an amount by the rule for showing money (docs/decisions/amounts-and-movements.md) in pages, mails, documents and files:
 *
 * 1. **Amounts in a list or a sum are shown in full**: two decimals, and more if the amount has them. They are never cut or
 *    rounded, so that listed amounts add up to their total, here and on every other page that shows them.
 * 2. Amounts in a column all take the decimals that any of them needs (`countCommonPlaces`).
 * 3. A standalone figure (a headline, the balance in the bar) may be short (`shortenUsd`): a balance is rounded down, spending
 *    is rounded up, with as many decimals as it takes to show a nonzero amount. Figures that explain each other are shortened
 *    alike, and their total is shown in full (`countShortPlaces`): "topped up" is still "used" plus "balance".
 */
export function showUsd(decimal: string, atLeast = 2): string {
  const [whole = '', rest = ''] = formatUsd(parseUsd(decimal)).split('.')
  const places = rest.padEnd(atLeast, '0')
  return `${groupThousands(whole)}${places ? `.${places}` : ''}`
}

/** 1234567 -> 1,234,567; at most three decimals. `Intl` would load its tables, 50 ms of a page's start on a slow phone. */
export const formatCount = (count: number): string => groupThousands(String(Math.round(count * 1_000) / 1_000))

const groupThousands = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** Rounding of a shortened amount: `have` (a balance) rounds down, `spent` rounds up. */
export type AmountRounding = 'have' | 'spent'

const SHORT_PLACES = [2, 4, 6, 9] as const

/** Fewest decimals that show every nonzero amount as more than zero and each of `whole` in full. */
export function countShortPlaces(decimals: readonly string[], whole: readonly string[] = []): number {
  const sizes = [...decimals, ...whole].map((decimal) => toMagnitude(parseUsd(decimal))).filter((amount) => amount > 0n)
  const least = countCommonPlaces(whole)
  return SHORT_PLACES.find((places) => places >= least && sizes.every((amount) => roundToPlaces(amount, places, 'down') > 0n)) ?? 9
}

/** Shortens a standalone figure (rule 3). */
export function shortenUsd(decimal: string, kind: AmountRounding, places = countShortPlaces([decimal])): string {
  const amount = parseUsd(decimal)
  // Rounding a debt down means rounding its magnitude up.
  const up = (kind === 'spent') === amount >= 0n
  const short = roundToPlaces(toMagnitude(amount), places, up ? 'up' : 'down')
  const text = showUsd(formatUsd(short), 2)
  return amount < 0n && short > 0n ? `-${text}` : text
}

/** Most decimals that any of these amounts needs, but at least `atLeast`: a list and its total then line up. */
export function countCommonPlaces(decimals: readonly string[], atLeast = 2): number {
  return Math.max(atLeast, ...decimals.map((decimal) => formatUsd(parseUsd(decimal)).split('.')[1]?.length ?? 0))
}

const toMagnitude = (amount: Nano): Nano => (amount < 0n ? -amount : amount)
