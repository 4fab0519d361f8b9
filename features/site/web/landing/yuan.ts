import { convertUsd, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { displayApproximateCny } from '#platform/web/money.tsx'

/** Formats dollars as approximate yuan, "¥23.14": an estimate at the price list's rate, not the price of an order. */
export function formatInYuan(dollars: string, rate: string, places = 2): string {
  return displayApproximateCny(formatUsd(convertUsd(parseUsd(dollars), rate)), places)
}
