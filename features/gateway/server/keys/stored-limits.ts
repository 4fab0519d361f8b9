import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { KeyLimitsInput, KeyLimitsView } from '../../contract-limits.ts'
import type { StoredLimits } from './data-limits.ts'
import { selectCurrentModels } from '../catalogue/data.ts'
import { isModelAllowed } from '../hot/admission/limits.ts'

const toNullableList = <T>(list: readonly T[]): T[] | null => (list.length ? [...new Set(list)] : null)

/** Converts a user's limits for storage. Refuses an expiry in the past, unless unchanged, and a pattern that matches no model. */
export async function toStoredLimits(
  sql: Sql,
  sent: KeyLimitsInput,
  { now, before = null }: { readonly now: Date; readonly before?: Date | null },
): Promise<StoredLimits> {
  const expires = sent.expiresAt === null ? null : new Date(sent.expiresAt)
  if (expires !== null && expires <= now && expires.getTime() !== before?.getTime()) fail('KEY_EXPIRY_PAST')
  if (sent.models.length) {
    const models = (await selectCurrentModels(sql)).map((model) => ({ id: model.modelId, vendor: model.vendor }))
    const stray = sent.models.find((pattern) => !models.some((model) => isModelAllowed([pattern], model)))
    if (stray !== undefined) fail('KEY_MODEL_UNKNOWN', { model: stray })
  }
  return {
    expiresAt: expires,
    models: toNullableList(sent.models),
    networks: toNullableList(sent.networks),
    requestsMinute: sent.requestsPerMinute,
    tokensMinute: sent.tokensPerMinute === null ? null : BigInt(sent.tokensPerMinute),
    callsAtOnce: sent.concurrency,
    dayBudget: sent.dayBudget === null ? null : parseUsd(sent.dayBudget),
    monthBudget: sent.monthBudget === null ? null : parseUsd(sent.monthBudget),
  }
}

const NUMBER_LIMITS = ['expiresAt', 'requestsMinute', 'tokensMinute', 'callsAtOnce', 'dayBudget', 'monthBudget'] as const
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
    expiresAt: row.expiresAt?.toISOString() ?? null,
    models: row.models ?? [],
    networks: row.networks ?? [],
    requestsPerMinute: row.requestsMinute,
    tokensPerMinute: row.tokensMinute === null ? null : Number(row.tokensMinute),
    concurrency: row.callsAtOnce,
    dayBudget: row.dayBudget === null ? null : formatUsd(row.dayBudget),
    monthBudget: row.monthBudget === null ? null : formatUsd(row.monthBudget),
    onDisconnect,
  }
}
