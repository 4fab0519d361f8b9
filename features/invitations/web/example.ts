import { minus, parseUsd, percentFee, sum, usd } from '#platform/shared/money.ts'

/** A top-up that adds up, as the server would freeze it: the discount comes off before the fee. */
export interface Example {
  readonly amount: string
  readonly discount: string
  readonly fee: string
  readonly feePercent: string
  readonly due: string
}

const AMOUNT = '20'

export function exampleOf(discount: string, feePercent: string): Example {
  const rest = minus(parseUsd(AMOUNT), parseUsd(discount))
  const fee = percentFee(rest, feePercent)
  return { amount: AMOUNT, discount, fee: usd(fee), feePercent, due: usd(sum([rest, fee])) }
}
