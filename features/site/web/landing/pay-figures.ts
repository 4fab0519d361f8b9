import { formatMinor, parseUsd, computePercentFee, addNano, toMinorUnits, formatUsd } from '#platform/shared/money.ts'

/** Fee rounded up to the cent, yuan total rounded up to the fen, as orders do (docs/decisions/amounts-and-movements.md). */
export function computePayFigures(amount: string, feePercent: string, rate: string): { fee: string; total: string; yuan: string } {
  const fee = computePercentFee(parseUsd(amount), feePercent)
  const total = addNano(parseUsd(amount), fee)
  return { fee: formatUsd(fee), total: formatUsd(total), yuan: formatMinor(toMinorUnits(total, rate)) }
}
