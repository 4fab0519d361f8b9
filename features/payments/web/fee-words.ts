import { usdDisplay } from '#platform/web/money.tsx'
import type { FeeTerms } from '../figures.ts'

/** "3.5%", or "3.5% + $0.30" where each payment costs something beside the percentage. */
export function feeWords({ feePercent, fixedFee }: FeeTerms): string {
  return fixedFee === '0' ? `${feePercent}%` : `${feePercent}% + ${usdDisplay(fixedFee)}`
}

export const isSameFee = (a: FeeTerms, b: FeeTerms): boolean => feeWords(a) === feeWords(b)
