import { minorText, parseUsd, percentFee, plus, toMinorUnits, usd } from '#platform/shared/money.ts'

/** Fee rounded up to the cent, yuan total rounded up to the fen, as orders do (decisions, "Money"). */
export function figuresOf(amount: string, feePercent: string, rate: string): { fee: string; total: string; yuan: string } {
  const fee = percentFee(parseUsd(amount), feePercent)
  const total = plus(parseUsd(amount), fee)
  return { fee: usd(fee), total: usd(total), yuan: minorText(toMinorUnits(total, rate)) }
}
