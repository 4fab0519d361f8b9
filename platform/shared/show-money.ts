import { parseUsd, roundToPlaces, formatUsd } from './money.ts'
import type { Nano } from './money.ts'

/**
 * The one rule for showing money (docs/decisions/amounts-and-movements.md), for pages, mails, papers and files:
 *
 * 1. **What stands in a list or a sum is shown whole**: two decimals, and more where the amount has them. Nothing is cut or
 *    rounded, so what is listed adds up to what is totalled, here and on every other page that shows it.
 * 2. Amounts under each other take the decimals that any of them needs (`countCommonPlaces`).
 * 3. A figure that stands for itself (a headline, the balance in the bar) may be short (`shortenUsd`): what one has is cut,
 *    what was spent is rounded up, and it has as many decimals as it takes to show that there is something. Figures that
 *    explain each other are shortened alike, their whole shown whole (`countShortPlaces`): "topped up" is still "used" and "balance".
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
  // of a debt "have" is the smaller number too: the size goes up
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
