import { converted, parseUsd, usd } from '#platform/shared/money.ts'
import { cnyAbout } from '#platform/web/money.tsx'

/** Dollars as yuan for reading, "¥23.14": an estimate at the price list's rate, never what an order costs. */
export function inYuan(dollars: string, rate: string, places = 2): string {
  return cnyAbout(usd(converted(parseUsd(dollars), rate)), places)
}
