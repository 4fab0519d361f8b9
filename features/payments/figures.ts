import { formatMinor, subtractNano, parseUsd, computePercentFee, sumNano, toMinorUnits, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Price of an order. The server computes it at creation and freezes it; the page previews it with the same function. */
export interface PriceFigures {
  /** Amount after the discount. */
  readonly amount: Nano
  readonly discount: Nano
  /** The whole fee, `fixed` included. */
  readonly fee: Nano
  /** Fixed part of the fee, charged for each payment regardless of its amount. */
  readonly fixed: Nano
  readonly total: Nano
  readonly payMinor: bigint
}

/** Fees charged to the payer by a channel: percent of the amount, and dollars per payment. */
export interface FeeTerms {
  readonly feePercent: string
  readonly fixedFee: string
}

/** The offered discount, or 0 if it would leave nothing to pay. */
export function capDiscount(amount: string, offered: Nano): Nano {
  return parseUsd(amount) > offered ? offered : 0n
}

/**
 * Computes an order's price: the discount first, then the fee rounded up to the cent plus the fixed part; total = amount + fee; the
 * yuan total is rounded up to the fen (docs/decisions/amounts-and-movements.md).
 */
export function computePriceFigures(
  amount: string,
  { feePercent, fixedFee }: FeeTerms,
  { rate, discount = 0n }: { readonly rate: string; readonly discount?: Nano },
): PriceFigures {
  const nano = subtractNano(parseUsd(amount), discount)
  const fixed = parseUsd(fixedFee)
  const fee = sumNano([computePercentFee(nano, feePercent), fixed])
  const total = sumNano([nano, fee])
  return { amount: nano, discount, fee, fixed, total, payMinor: toMinorUnits(total, rate) }
}

/** Figures as decimal text for the API. `amount` is credited to the balance: amount - discount + fee = total. */
export function formatFigures({ amount, discount, fee, fixed, total, payMinor }: PriceFigures) {
  return {
    amount: formatUsd(sumNano([amount, discount])),
    ...formatDiscount(discount),
    fee: formatUsd(fee),
    fixedFee: formatUsd(fixed),
    total: formatUsd(total),
    payAmount: formatMinor(payMinor),
  }
}

/** Omitted if there is no discount. */
export function formatDiscount(discount: Nano): { discount?: string } {
  return discount > 0n ? { discount: formatUsd(discount) } : {}
}
