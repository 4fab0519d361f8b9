import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

export interface RequestCountFilter {
  readonly accountId: bigint
  readonly keyId: string | undefined
  readonly model: string | undefined
  /** Shanghai days: `from` inclusive, `before` exclusive. */
  readonly from: string
  readonly before: string
}
export interface RequestCounts {
  readonly calls: bigint
  readonly clientGone: bigint
  readonly upstreamFailed: bigint
  readonly upstreamCut: bigint
  readonly refused: bigint
  readonly inProgress: bigint
  readonly kept: bigint
}

const toMidnightSql = (day: string) => `(${day}::date)::timestamp at time zone 'Asia/Shanghai'`

/**
 * Counts calls by outcome, from one snapshot: all of them from the sums by day, those that did not complete from a small partial index,
 * refused ones from their own counts.
 */
export async function countRequests(sql: Sql, { accountId, keyId, model, from, before }: RequestCountFilter): Promise<RequestCounts> {
  const values: unknown[] = [accountId, from, before]
  const own = [...(keyId ? [`key_id = $${values.push(keyId)}`] : []), ...(model ? [`model = $${values.push(model)}`] : [])].map((one) => ` and ${one}`).join('')
  const within = (time: string) => `${time} >= ${toMidnightSql('$2')} and ${time} < ${toMidnightSql('$3')}`
  const of = (outcome: string) => `coalesce(sum(n) filter (where outcome = '${outcome}'), 0)::bigint as ${outcome}`
  return first(
    await sql.query<RequestCounts>(
      `select s.calls, e.client_gone, e.upstream_failed, e.upstream_cut, r.refused, r.kept, o.in_progress from
         (select coalesce(sum(calls), 0)::bigint as calls from (
            select calls from gateway_usage_days where account_id = $1 and day >= $2::date and day < $3::date${own}
            union all select calls from gateway_unsummed where account_id = $1 and ${within('hour')}${own}) summed) s,
         (select ${of('client_gone')}, ${of('upstream_failed')}, ${of('upstream_cut')} from (
            select outcome, count(*) as n from gateway_usage where account_id = $1 and outcome <> 'completed' and ${within('started_at')}${own} group by outcome) ended) e,
         (select coalesce(sum(calls), 0)::bigint as refused, coalesce(sum(kept), 0)::bigint as kept from gateway_refused_hours
            where account_id = $1 and ${within('hour')}${own}) r,
         (select count(*) as in_progress from gateway_calls where account_id = $1 and ${within('started_at')}${own}) o`,
      values,
    ),
  )!
}

export interface OpenDbRow {
  readonly callId: string
  readonly startedAt: Date
  readonly model: string
  readonly askedModel: string
  readonly vendor: string
  readonly keyId: string
  readonly keyName: string
  readonly last4: string
  readonly held: bigint
  /** Count of all matching calls, not only of the page. */
  readonly count: bigint
  readonly heldSum: bigint
  readonly now: Date
}

/**
 * Lists calls under way. A call is either among these or among the settled ones, never both: one commit deletes its row here and writes the
 * other.
 */
export function selectOpenCalls(sql: Sql, { accountId, keyId, model, from, before }: RequestCountFilter, limit: number): Promise<OpenDbRow[]> {
  const values: unknown[] = [accountId, from, before, limit]
  const own = [...(keyId ? [`key_id = $${values.push(keyId)}`] : []), ...(model ? [`model = $${values.push(model)}`] : [])].map((one) => ` and ${one}`).join('')
  return sql.query<OpenDbRow>(
    `select c.call_id, c.started_at, c.model, c.asked_model, coalesce(m.vendor, '') as vendor, c.key_id, coalesce(k.name, '') as key_name,
            coalesce(k.last4, '----') as last4, c.held, c.count, c.held_sum, now() as now
       from (select *, count(*) over () as count, (sum(held) over ())::bigint as held_sum from gateway_calls
              where account_id = $1 and started_at >= ${toMidnightSql('$2')} and started_at < ${toMidnightSql('$3')}${own}
              order by started_at desc, call_id desc limit $4) c
       left join gateway_models m on m.model_id = c.model left join gateway_keys k on k.key_id = c.key_id
      order by c.started_at desc, c.call_id desc`,
    values,
  )
}
