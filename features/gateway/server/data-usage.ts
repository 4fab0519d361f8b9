import type { Sql } from '#platform/server/db.ts'
import { first } from '#platform/server/db.ts'

/** Queries of usage: day sums, single calls. */

export interface DayRow {
  readonly day: string
  readonly model: string
  readonly vendor: string
  readonly calls: bigint
  readonly tokens: bigint
  readonly amount: bigint
}

/** Days are Shanghai's; `from` inclusive, `before` exclusive. */
export const usageDays = (sql: Sql, accountId: bigint, keyId: string | undefined, from: string, before: string, limit: number, offset: number) =>
  sql.query<DayRow>(
    `select d.day::text, d.model, coalesce(m.vendor, '') as vendor, sum(d.calls)::bigint as calls, sum(d.tokens)::bigint as tokens, sum(d.amount)::bigint as amount
   from gateway_usage_days d left join gateway_models m on m.model_id = d.model
   where d.account_id = $1 and ($2::text is null or d.key_id = $2) and d.day >= $3 and d.day < $4
   group by d.day, d.model, m.vendor order by d.day desc, amount desc, d.model limit $5 offset $6`,
    [accountId, keyId ?? null, from, before, limit, offset],
  )

export const usageTotals = async (sql: Sql, accountId: bigint, keyId: string | undefined, from: string, before: string) =>
  first(
    await sql.query<{ rows: bigint; calls: bigint; tokens: bigint; amount: bigint }>(
      `select count(distinct (day, model)) as rows, coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(tokens), 0)::bigint as tokens, coalesce(sum(amount), 0)::bigint as amount
   from gateway_usage_days where account_id = $1 and ($2::text is null or key_id = $2) and day >= $3 and day < $4`,
      [accountId, keyId ?? null, from, before],
    ),
  )!

export const vendorDays = (sql: Sql, accountId: bigint, from: string) =>
  sql.query<{ day: string; vendor: string; calls: bigint; amount: bigint }>(
    `select d.day::text, coalesce(m.vendor, '') as vendor, sum(d.calls)::bigint as calls, sum(d.amount)::bigint as amount
   from gateway_usage_days d left join gateway_models m on m.model_id = d.model where d.account_id = $1 and d.day >= $2
   group by d.day, m.vendor order by d.day, m.vendor`,
    [accountId, from],
  )

export interface CallDbRow {
  readonly call_id: string
  readonly started_at: Date
  readonly model: string
  readonly vendor: string
  readonly key_id: string
  readonly key_name: string
  readonly last4: string
  readonly status: number
  readonly outcome: 'completed' | 'client_gone' | 'upstream_failed' | 'upstream_cut'
  readonly provenance: 'upstream' | 'upstream_partial' | 'estimated'
  readonly input_tokens: bigint
  readonly cached_tokens: bigint
  readonly output_tokens: bigint
  readonly reasoning_tokens: bigint
  readonly total_ms: number
  readonly amount: bigint
}
const CALL = `u.call_id, u.started_at, u.model, coalesce(m.vendor, '') as vendor, u.key_id, coalesce(k.name, '') as key_name, coalesce(k.last4, '----') as last4, u.status, u.outcome, u.provenance,
  u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens, u.total_ms, u.amount`
const CALL_FROM = 'from gateway_usage u left join gateway_models m on m.model_id = u.model left join gateway_keys k on k.key_id = u.key_id'

export interface CallFilter {
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly from?: Date | undefined
  readonly before?: Date | undefined
  readonly after?: { at: Date; callId: string } | undefined
  readonly limit: number
}

/** Newest first by keyset: every page costs the same. The conditions are written out so that each uses its index. */
export const listCalls = (sql: Sql, accountId: bigint, filter: CallFilter) => {
  const values: unknown[] = [accountId]
  const where = ['u.account_id = $1']
  const add = (condition: string, ...given: unknown[]) => {
    where.push(condition.replace(/\?/g, () => `$${values.push(given.shift())}`))
  }
  if (filter.keyId) add('u.key_id = ?', filter.keyId)
  if (filter.model) add('u.model = ?', filter.model)
  if (filter.from) add('u.started_at >= ?', filter.from)
  if (filter.before) add('u.started_at < ?', filter.before)
  if (filter.after) add('(u.started_at, u.call_id) < (?, ?)', filter.after.at, filter.after.callId)
  values.push(filter.limit)
  return sql.query<CallDbRow>(
    `select ${CALL} ${CALL_FROM} where ${where.join(' and ')} order by u.started_at desc, u.call_id desc limit $${values.length}`,
    values,
  )
}

export interface CallDetailRow extends CallDbRow {
  readonly dialect: string
  readonly stream: boolean
  readonly first_byte_ms: number
  readonly request_id: string
  readonly upstream_request_id: string
  readonly price_version: bigint
  readonly price_from: Date
  readonly lines: string[]
}
export const oneCall = async (sql: Sql, accountId: bigint, callId: string) =>
  first(
    await sql.query<CallDetailRow>(
      `select ${CALL}, u.dialect, u.stream, u.first_byte_ms, u.request_id, u.upstream_request_id, u.price_version, coalesce(p.valid_from, u.started_at) as price_from, u.lines
   ${CALL_FROM} left join gateway_prices p on p.version = u.price_version where u.account_id = $1 and u.call_id = $2`,
      [accountId, callId],
    ),
  )

export const firstCallAt = async (sql: Sql, accountId: bigint) =>
  first(await sql.query<{ day: string }>('select day::text from gateway_usage_days where account_id = $1 order by day limit 1', [accountId]))?.day
