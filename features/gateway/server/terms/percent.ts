import { parseMillionths, multiplyNano, formatUsd } from '#platform/shared/money.ts'

/** 85.5 as millionths of the list, and back. */
export const parsePercentShare = (percent: string): number => Number(parseMillionths(percent)) / 100
export const formatPercentShare = (share: number): string => formatUsd(multiplyNano(BigInt(share), 100_000))
