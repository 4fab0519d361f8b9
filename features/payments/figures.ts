import { minorText, parseUsd, percentFee, sum, toMinorUnits, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** What an order costs. Computed by the server at creation and frozen; the page uses the same function to show it live. */
export interface Figures {
  readonly amount: Nano
  /** All of it, `fixed` included. */
  readonly fee: Nano
  /** The part of the fee that each payment at the channel costs, whatever its amount. */
  readonly fixed: Nano
  readonly total: Nano
  readonly payMinor: bigint
}

/** What a channel's payments cost their payer: percent of the amount, and dollars a payment. */
export interface FeeTerms {
  readonly feePercent: string
  readonly fixedFee: string
}

/** Fee rounded up to the cent plus the fixed part, total = amount + fee, yuan total rounded up to the fen (decisions, "Money"). */
export function figuresOf(amount: string, { feePercent, fixedFee }: FeeTerms, rate: string): Figures {
  const nano = parseUsd(amount)
  const fixed = parseUsd(fixedFee)
  const fee = sum([percentFee(nano, feePercent), fixed])
  const total = sum([nano, fee])
  return { amount: nano, fee, fixed, total, payMinor: toMinorUnits(total, rate) }
}

/** The figures as they travel: exact decimal text. */
export function figureTexts({ amount, fee, fixed, total, payMinor }: Figures) {
  return { amount: usd(amount), fee: usd(fee), fixedFee: usd(fixed), total: usd(total), payAmount: minorText(payMinor) }
}
