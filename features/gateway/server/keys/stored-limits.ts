import { fail } from '#platform/shared/errors.ts'
import { parseUsd, usd } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { KeyLimitsSet, KeyLimitsShown } from '../../contract-limits.ts'
import type { StoredLimits } from './data-limits.ts'
import { modelsNow } from '../catalogue/data.ts'
import { allows } from '../hot/admission/limits.ts'

const orNull = <T>(list: readonly T[]): T[] | null => (list.length ? [...new Set(list)] : null)

/** Converts a user's limits for storage. Refuses an expiry in the past, unless unchanged, and a pattern that matches no model. */
export async function storedLimits(sql: Sql, sent: KeyLimitsSet, now: Date, before: Date | null = null): Promise<StoredLimits> {
  const expires = sent.expiresAt === null ? null : new Date(sent.expiresAt)
  if (expires !== null && expires <= now && expires.getTime() !== before?.getTime()) fail('KEY_EXPIRY_PAST')
  if (sent.models.length) {
    const models = (await modelsNow(sql)).map((model) => ({ id: model.model_id, vendor: model.vendor }))
    const stray = sent.models.find((pattern) => !models.some((model) => allows([pattern], model)))
    if (stray !== undefined) fail('KEY_MODEL_UNKNOWN', { model: stray })
  }
  return {
    expires_at: expires,
    models: orNull(sent.models),
    networks: orNull(sent.networks),
    requests_minute: sent.requestsPerMinute,
    tokens_minute: sent.tokensPerMinute === null ? null : BigInt(sent.tokensPerMinute),
    calls_at_once: sent.concurrency,
    day_budget: sent.dayBudget === null ? null : parseUsd(sent.dayBudget),
    month_budget: sent.monthBudget === null ? null : parseUsd(sent.monthBudget),
  }
}

const NUMBERS = ['expires_at', 'requests_minute', 'tokens_minute', 'calls_at_once', 'day_budget', 'month_budget'] as const
const LISTS = ['models', 'networks'] as const

/** True if `after` permits anything that `before` does not. Null is no limit. */
export function loosens(before: StoredLimits, after: StoredLimits): boolean {
  return (
    NUMBERS.some((name) => before[name] !== null && (after[name] === null || after[name] > before[name])) ||
    LISTS.some((name) => before[name] !== null && (after[name] === null || after[name].some((entry) => !before[name]!.includes(entry))))
  )
}

export function shownLimits(row: StoredLimits, onDisconnect: 'abort' | 'drain'): KeyLimitsShown {
  return {
    expiresAt: row.expires_at?.toISOString() ?? null,
    models: row.models ?? [],
    networks: row.networks ?? [],
    requestsPerMinute: row.requests_minute,
    tokensPerMinute: row.tokens_minute === null ? null : Number(row.tokens_minute),
    concurrency: row.calls_at_once,
    dayBudget: row.day_budget === null ? null : usd(row.day_budget),
    monthBudget: row.month_budget === null ? null : usd(row.month_budget),
    onDisconnect,
  }
}
