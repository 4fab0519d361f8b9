import { parseMillionths, multiplyNano, formatUsd } from '#platform/shared/money.ts'

/** Converts a percentage such as 85.5 to millionths of the list price. */
export const parsePercentShare = (percent: string): number => Number(parseMillionths(percent)) / 100
export const formatPercentShare = (share: number): string => formatUsd(multiplyNano(BigInt(share), 100_000))
