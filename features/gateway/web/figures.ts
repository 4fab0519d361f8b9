import { formatCount } from '#platform/shared/show-money.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { displayApproximateCny, displayUsd } from '#platform/web/money.tsx'

/** Tokens of a sum; a dash if it was billed by another unit (characters, seconds, searches), which has a cost but no tokens. */
export function formatSumTokens({ totalTokens, consumeAmount }: { readonly totalTokens: number; readonly consumeAmount: string }): string {
  return totalTokens === 0 && parseUsd(consumeAmount) > 0n ? '–' : formatCount(totalTokens)
}

/** Formats a token count: 1050000 -> 1.05M, 400000 -> 400K. */
export function formatContextSize(tokens: number | null): string {
  if (!tokens) return '–'
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}K`
  return `${String(Math.floor(tokens / 10_000) / 100)}M`
}

/** Formats a duration: 812 ms, 7.1 s, 2 min 5 s. */
export function formatDurationMs(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** Elapsed time in whole seconds: 17 s, 2 min 5 s. */
export function formatElapsedSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Number of decimal places in a decimal text. */
export function countDecimalPlaces(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

/** Formats a round amount on an axis: $2, $0.25, $0.0004. */
export const formatAxisUsd = (value: number): string =>
  displayUsd(value.toFixed(9), Math.max(value >= 1 || value === 0 ? 0 : 2, countDecimalPlaces(String(Number(value.toFixed(9))))))
/** Formats a round count on an axis: 800, 12K, 1.5M. */
export function formatAxisCount(value: number): string {
  if (value < 10_000) return formatCount(value)
  return value < 1_000_000 ? `${formatCount(value / 1_000)}K` : `${formatCount(value / 1_000_000)}M`
}

/**
 * Formats a cost in full: four decimal places, more if it has them, so that calls add up to their sum
 * (docs/decisions/amounts-and-movements.md).
 */
export function formatCallCost(amount: string): string {
  return displayUsd(amount, 4)
}

/** Formats a price: two decimal places, more if it has them, so that 0.075 stays 0.075. */
export function formatModelPrice(price: string | null, currency: 'usd' | 'cny', most = 9): string {
  if (price === null) return '–'
  const places = Math.min(most, Math.max(2, countDecimalPlaces(price)))
  return currency === 'usd' ? displayUsd(price) : displayApproximateCny(price, places)
}
