import { millionths, times, usd } from '#platform/shared/money.ts'

/** 85.5 as millionths of the list, and back. */
export const shareOfPercent = (percent: string): number => Number(millionths(percent)) / 100
export const percentText = (share: number): string => usd(times(BigInt(share), 100_000))
