import { subtractNano, parseUsd, computePercentFee, sumNano, formatUsd } from '#platform/shared/money.ts'

/** A top-up that adds up, as the server would freeze it: the discount comes off before the fee. */
export interface DiscountExample {
  readonly amount: string
  readonly discount: string
  readonly fee: string
  readonly feePercent: string
  readonly due: string
}

const AMOUNT = '20'

export function buildDiscountExample(discount: string, feePercent: string): DiscountExample {
  const rest = subtractNano(parseUsd(AMOUNT), parseUsd(discount))
  const fee = computePercentFee(rest, feePercent)
  return { amount: AMOUNT, discount, fee: formatUsd(fee), feePercent, due: formatUsd(sumNano([rest, fee])) }
}
