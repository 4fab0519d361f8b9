import { minorText, minus, parseUsd, percentFee, sum, toMinorUnits, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** What an order costs. Computed by the server at creation and frozen; the page uses the same function to show it live. */
export interface Figures {
  /** What is paid for: a discount is off already. */
  readonly amount: Nano
  readonly discount: Nano
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

/** What comes off an amount: all of what is offered, or nothing where it would leave nothing to pay. */
export function discountFor(amount: string, offered: Nano): Nano {
  return parseUsd(amount) > offered ? offered : 0n
}

/**
 * A discount comes off first; then fee rounded up to the cent plus the fixed part, total = amount + fee, yuan total rounded up to
 * the fen (decisions, "Money").
 */
export function figuresOf(amount: string, { feePercent, fixedFee }: FeeTerms, rate: string, discount: Nano = 0n): Figures {
  const nano = minus(parseUsd(amount), discount)
  const fixed = parseUsd(fixedFee)
  const fee = sum([percentFee(nano, feePercent), fixed])
  const total = sum([nano, fee])
  return { amount: nano, discount, fee, fixed, total, payMinor: toMinorUnits(total, rate) }
}

/** The figures as they travel: exact decimal text. `amount` is what reaches the balance: amount - discount + fee = total. */
export function figureTexts({ amount, discount, fee, fixed, total, payMinor }: Figures) {
  return {
    amount: usd(sum([amount, discount])),
    ...discountText(discount),
    fee: usd(fee),
    fixedFee: usd(fixed),
    total: usd(total),
    payAmount: minorText(payMinor),
  }
}

/** Left out where there is none. */
export function discountText(discount: Nano): { discount?: string } {
  return discount > 0n ? { discount: usd(discount) } : {}
}
