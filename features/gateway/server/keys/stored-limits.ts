import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { KeyLimitsInput, KeyLimitsView } from '../../contract-limits.ts'
import type { StoredLimits } from './data-limits.ts'
import { selectCurrentModels } from '../catalogue/data.ts'
import { isModelAllowed } from '../hot/admission/limits.ts'

const toNullableList = <T>(list: readonly T[]): T[] | null => (list.length ? [...new Set(list)] : null)

/** Converts a user's limits for storage. Refuses an expiry in the past, unless unchanged, and a pattern that matches no model. */
export async function toStoredLimits(sql: Sql, sent: KeyLimitsInput, now: Date, before: Date | null = null): Promise<StoredLimits> {
  const expires = sent.expiresAt === null ? null : new Date(sent.expiresAt)
  if (expires !== null && expires <= now && expires.getTime() !== before?.getTime()) fail('KEY_EXPIRY_PAST')
  if (sent.models.length) {
    const models = (await selectCurrentModels(sql)).map((model) => ({ id: model.model_id, vendor: model.vendor }))
    const stray = sent.models.find((pattern) => !models.some((model) => isModelAllowed([pattern], model)))
    if (stray !== undefined) fail('KEY_MODEL_UNKNOWN', { model: stray })
  }
  return {
    expires_at: expires,
    models: toNullableList(sent.models),
    networks: toNullableList(sent.networks),
    requests_minute: sent.requestsPerMinute,
    tokens_minute: sent.tokensPerMinute === null ? null : BigInt(sent.tokensPerMinute),
    calls_at_once: sent.concurrency,
    day_budget: sent.dayBudget === null ? null : parseUsd(sent.dayBudget),
    month_budget: sent.monthBudget === null ? null : parseUsd(sent.monthBudget),
  }
}

const NUMBER_LIMITS = ['expires_at', 'requests_minute', 'tokens_minute', 'calls_at_once', 'day_budget', 'month_budget'] as const
const LIST_LIMITS = ['models', 'networks'] as const

/** True if `after` permits anything that `before` does not. Null means no limit. */
export function isLooser(before: StoredLimits, after: StoredLimits): boolean {
  return (
    NUMBER_LIMITS.some((name) => before[name] !== null && (after[name] === null || after[name] > before[name])) ||
    LIST_LIMITS.some((name) => before[name] !== null && (after[name] === null || after[name].some((entry) => !before[name]!.includes(entry))))
  )
}

export function toLimitsView(row: StoredLimits, onDisconnect: 'abort' | 'drain'): KeyLimitsView {
  return {
    expiresAt: row.expires_at?.toISOString() ?? null,
    models: row.models ?? [],
    networks: row.networks ?? [],
    requestsPerMinute: row.requests_minute,
    tokensPerMinute: row.tokens_minute === null ? null : Number(row.tokens_minute),
    concurrency: row.calls_at_once,
    dayBudget: row.day_budget === null ? null : formatUsd(row.day_budget),
    monthBudget: row.month_budget === null ? null : formatUsd(row.month_budget),
    onDisconnect,
  }
}
