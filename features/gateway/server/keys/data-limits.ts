import type { Sql } from '#platform/server/database/db.ts'
import { createBlockList } from '../hot/http/address.ts'
import type { KeyLimits, KeyStops } from '../hot/deps.ts'
import type { GatewayKeysRow } from '../tables.ts'

/** Stored limits of keys, and the usage counted against them. */

export interface StoredLimits extends Pick<GatewayKeysRow, 'expiresAt' | 'requestsMinute' | 'tokensMinute' | 'callsAtOnce' | 'dayBudget' | 'monthBudget'> {
  readonly models: string[] | null
  readonly networks: string[] | null
}
export const LIMIT_COLUMNS = 'expires_at, models, networks, requests_minute, tokens_minute, calls_at_once, day_budget, month_budget'

/** Converts stored limits for the relay; undefined for a key without any. */
export function toKeyLimits(row: StoredLimits): KeyLimits | undefined {
  const budget = row.dayBudget !== null || row.monthBudget !== null
  const counted = budget || row.requestsMinute !== null || row.tokensMinute !== null || row.callsAtOnce !== null
  if (!counted && row.expiresAt === null && row.models === null && row.networks === null) return undefined
  return {
    expiresAt: row.expiresAt?.getTime(),
    models: row.models ?? undefined,
    networks: row.networks === null ? undefined : createBlockList(row.networks),
    counted,
    requestsMinute: row.requestsMinute ?? undefined,
    tokensMinute: row.tokensMinute === null ? undefined : Number(row.tokensMinute),
    atOnce: row.callsAtOnce ?? undefined,
    budget,
  }
}

/** Adds the conditions that stop every call of a key: it is off, paused or replaced, or its account's calls are frozen. */
export function addKeyStops(limits: KeyLimits | undefined, stops: KeyStops): KeyLimits | undefined {
  return Object.values(stops).some((stop) => stop !== undefined && stop !== false) ? { ...(limits ?? UNLIMITED), ...stops } : limits
}

const UNLIMITED: KeyLimits = {
  expiresAt: undefined,
  models: undefined,
  networks: undefined,
  counted: false,
  requestsMinute: undefined,
  tokensMinute: undefined,
  atOnce: undefined,
  budget: false,
}

export const updateKeyLimits = (
  sql: Sql,
  keyId: string,
  { onDisconnect, limits }: { readonly onDisconnect: 'abort' | 'drain'; readonly limits: StoredLimits },
) =>
  sql.query(
    `update gateway_keys set on_disconnect = $2, expires_at = $3, models = $4, networks = $5, requests_minute = $6, tokens_minute = $7, calls_at_once = $8,
   day_budget = $9, month_budget = $10 where key_id = $1`,
    [
      keyId,
      onDisconnect,
      limits.expiresAt,
      limits.models,
      limits.networks,
      limits.requestsMinute,
      limits.tokensMinute,
      limits.callsAtOnce,
      limits.dayBudget,
      limits.monthBudget,
    ],
  )

export interface KeyBudgetUse {
  readonly keyId: string
  readonly daySpent: bigint
  readonly monthSpent: bigint
  readonly openCalls: bigint
  readonly held: bigint
}
/** Spending of keys against their budgets on a Shanghai day and in its month, and the most that their open calls may cost. */
export const selectBudgetUse = (sql: Sql, keyIds: readonly string[], day: string) =>
  sql.query<KeyBudgetUse>(
    `select k.key_id, s.day_spent, s.month_spent, coalesce(t.n, 0) as open_calls, coalesce(t.held, 0)::bigint as held
   from gateway_keys k cross join lateral gateway_key_spent(k.key_id, k.account_id, $2::date) s
   left join lateral (select count(*) as n, sum(held) as held from gateway_takes t where t.key_id = k.key_id) t on true where k.key_id = any ($1)`,
    [keyIds, day],
  )
