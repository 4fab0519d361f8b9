import { convertUsd, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { displayApproximateCny } from '#platform/web/money.tsx'

/** Dollars as yuan for reading, "¥23.14": an estimate at the price list's rate, never what an order costs. */
export function formatInYuan(dollars: string, rate: string, places = 2): string {
  return displayApproximateCny(formatUsd(convertUsd(parseUsd(dollars), rate)), places)
}
