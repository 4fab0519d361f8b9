import { minorText, parseUsd, percentFee, sum, toMinorUnits, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** What an order costs. Computed by the server at creation and frozen; the page uses the same function to show it live. */
export interface Figures {
  readonly amount: Nano
  readonly fee: Nano
  readonly total: Nano
  readonly payMinor: bigint
}

/** Fee rounded up to the cent, total = amount + fee, yuan total rounded up to the fen (decisions, "Money"). */
export function figuresOf(amount: string, feePercent: string, rate: string): Figures {
  const nano = parseUsd(amount)
  const fee = percentFee(nano, feePercent)
  const total = sum([nano, fee])
  return { amount: nano, fee, total, payMinor: toMinorUnits(total, rate) }
}

/** The figures as they travel: exact decimal text. */
export function figureTexts({ amount, fee, total, payMinor }: Figures) {
  return { amount: usd(amount), fee: usd(fee), total: usd(total), payAmount: minorText(payMinor) }
}
