import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

export interface CountWish {
  readonly accountId: bigint
  readonly keyId: string | undefined
  readonly model: string | undefined
  /** Shanghai days: `from` inclusive, `before` exclusive. */
  readonly from: string
  readonly before: string
}
export interface Counts {
  readonly calls: bigint
  readonly client_gone: bigint
  readonly upstream_failed: bigint
  readonly upstream_cut: bigint
  readonly refused: bigint
  readonly kept: bigint
}

const MIDNIGHT = (day: string) => `(${day}::date)::timestamp at time zone 'Asia/Shanghai'`

/**
 * Calls by how they ended, from one snapshot: all of them from the sums by day, those that did not come to their end from the small index
 * that only they are in, refused ones from their own counts.
 */
export async function countRequests(sql: Sql, { accountId, keyId, model, from, before }: CountWish): Promise<Counts> {
  const values: unknown[] = [accountId, from, before]
  const own = [...(keyId ? [`key_id = $${values.push(keyId)}`] : []), ...(model ? [`model = $${values.push(model)}`] : [])].map((one) => ` and ${one}`).join('')
  const within = (time: string) => `${time} >= ${MIDNIGHT('$2')} and ${time} < ${MIDNIGHT('$3')}`
  const of = (outcome: string) => `coalesce(sum(n) filter (where outcome = '${outcome}'), 0)::bigint as ${outcome}`
  return first(
    await sql.query<Counts>(
      `select s.calls, e.client_gone, e.upstream_failed, e.upstream_cut, r.refused, r.kept from
         (select coalesce(sum(calls), 0)::bigint as calls from (
            select calls from gateway_usage_days where account_id = $1 and day >= $2::date and day < $3::date${own}
            union all select calls from gateway_unsummed where account_id = $1 and ${within('hour')}${own}) summed) s,
         (select ${of('client_gone')}, ${of('upstream_failed')}, ${of('upstream_cut')} from (
            select outcome, count(*) as n from gateway_usage where account_id = $1 and outcome <> 'completed' and ${within('started_at')}${own} group by outcome) ended) e,
         (select coalesce(sum(calls), 0)::bigint as refused, coalesce(sum(kept), 0)::bigint as kept from gateway_refused_hours
            where account_id = $1 and ${within('hour')}${own}) r`,
      values,
    ),
  )!
}
