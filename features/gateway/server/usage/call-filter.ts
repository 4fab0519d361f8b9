import { parseUsd } from '#platform/shared/money.ts'
import type { CallFilterInput } from '../../contract-usage.ts'
import type { CallFilter } from './data-calls.ts'
import { getDayAfter, resolveRequestedDays, toShanghaiMidnight } from './usage-range.ts'

/** Converts a caller's filter into a row filter, always within one account. */
export function toCallFilter(accountId: bigint, input: CallFilterInput, now: Date): CallFilter {
  const days = input.from && input.to ? resolveRequestedDays(input, now) : undefined
  const from = days?.from ?? input.from
  const before = days?.before ?? (input.to && getDayAfter(input.to))
  return {
    accountId,
    keyId: input.keyId,
    model: input.model,
    outcome: input.outcome,
    status: input.status,
    least: input.minAmount === undefined ? undefined : parseUsd(input.minAmount),
    most: input.maxAmount === undefined ? undefined : parseUsd(input.maxAmount),
    from: from ? toShanghaiMidnight(from) : undefined,
    before: before ? toShanghaiMidnight(before) : undefined,
  }
}
