import { parseUsd } from '#platform/shared/money.ts'
import { cnyAbout, usdDisplay } from '#platform/web/money.tsx'

const grouped = new Intl.NumberFormat('en-US')

export function countText(count: number): string {
  return grouped.format(count)
}

/** Tokens of a sum; a dash where it was billed by something else (characters, seconds, searches): no tokens, and yet a cost. */
export function tokensText({ totalTokens, consumeAmount }: { readonly totalTokens: number; readonly consumeAmount: string }): string {
  return totalTokens === 0 && parseUsd(consumeAmount) > 0n ? '–' : countText(totalTokens)
}

/** 1050000 -> 1.05M, 400000 -> 400K. */
export function contextText(tokens: number | null): string {
  if (!tokens) return '–'
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}K`
  return `${String(Math.floor(tokens / 10_000) / 100)}M`
}

/** Places that a decimal text has. */
export function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

/** A cost, whole: four places and more where it has them, so that calls add up to what their sum shows (decision 0046). */
export function costText(amount: string): string {
  return usdDisplay(amount, 4)
}

/** A price: two places, more where it has them, so that 0.075 stays 0.075. */
export function priceText(price: string | null, currency: 'usd' | 'cny', most = 9): string {
  if (price === null) return '–'
  const places = Math.min(most, Math.max(2, placesOf(price)))
  return currency === 'usd' ? usdDisplay(price) : cnyAbout(price, places)
}
