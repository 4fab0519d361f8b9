import { displayUsd } from '#platform/web/money.tsx'
import type { FeeTerms } from '../figures.ts'

/** Formats a fee: "3.5%", or "3.5% + $0.30" if there is a fixed part per payment. */
export function formatFeeTerms({ feePercent, fixedFee }: FeeTerms): string {
  return fixedFee === '0' ? `${feePercent}%` : `${feePercent}% + ${displayUsd(fixedFee)}`
}

export const isSameFee = (a: FeeTerms, b: FeeTerms): boolean => formatFeeTerms(a) === formatFeeTerms(b)
