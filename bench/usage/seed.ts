import type { Db } from '#platform/server/database/db.ts'
import { openAccount } from '#features/wallet/server/door.ts'

/** Rows of usage as a busy house has them: made in the database, in the order of time, at about 100,000 a second. */

const MONTHS = 6
const CHUNK = 500_000
export const SEEDED_ACCOUNTS = 40
export const KEYS_PER_ACCOUNT = 8
/** The first account makes this share of all calls; the others share the rest unevenly. */
export const BIG_SHARE = 0.3

export interface SeededUsage {
  readonly users: readonly string[]
  readonly models: readonly string[]
  /** One call in 20,000 is of it. */
  readonly rareModel: string
}

export async function seedUsage(owner: Db, app: Db, rows: number, say: (text: string) => void): Promise<SeededUsage> {
  const users = Array.from({ length: SEEDED_ACCOUNTS }, (_, i) => `usr_bench_${i}`)
  const accounts: bigint[] = []
  for (const user of users) accounts.push(await openAccount(app, `user:${user}`, 'customer'))
  const models = (await app.query<{ model_id: string }>(`select model_id from gateway_models where kind = 'chat' order by model_id limit 13`)).map(
    (row) => row.model_id,
  )
  const rareModel = models[12]!
  await owner.query(
    `insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4)
     select 'key_bench_' || a.n || '_' || k, a.user_id, a.account_id, '密钥 ' || k, sha256(('bench' || a.n || '/' || k)::bytea), lpad(k::text, 4, '0')
     from unnest($1::text[], $2::bigint[]) with ordinality a (user_id, account_id, n), generate_series(1, ${KEYS_PER_ACCOUNT}) k`,
    [users, accounts],
  )
  await owner.query(`do $$ declare m date; begin
    for m in select generate_series(date_trunc('month', now() at time zone 'UTC') - interval '${MONTHS} months', date_trunc('month', now() at time zone 'UTC'), interval '1 month')::date loop
      execute format('create table if not exists %I partition of gateway_usage for values from (%L) to (%L)', 'gateway_usage_' || to_char(m, 'YYYYMM'),
        m::timestamp at time zone 'UTC', (m + interval '1 month')::timestamp at time zone 'UTC');
    end loop; end $$`)
  const end = Date.now()
  const step = (MONTHS * 30 * 86_400_000) / rows
  for (let done = 0; done < rows; done += CHUNK) {
    const count = Math.min(CHUNK, rows - done)
    await owner.query(INSERT, [accounts, models, count, (end - step * (rows - done)) / 1000, step / 1000, users])
    say(`${done + count} rows`)
  }
  await owner.query(`insert into gateway_usage_hours select account_id, date_trunc('hour', started_at, 'UTC'), model, key_id, count(*), sum(input_tokens + output_tokens), sum(amount),
    count(*) filter (where outcome <> 'completed'), max(amount) from gateway_usage group by 1, 2, 3, 4 order by 2`)
  await owner.query(`insert into gateway_usage_days select account_id, gateway_shanghai_day(hour), model, key_id, sum(calls), sum(tokens), sum(amount), sum(failed), max(largest)
    from gateway_usage_hours group by 1, 2, 3, 4 order by 2`)
  for (const table of ['gateway_usage', 'gateway_usage_hours', 'gateway_usage_days', 'gateway_keys']) await owner.query(`vacuum analyze ${table}`)
  return { users, models, rareModel }
}

/** A hash of the row's number gives everything that is not the time: the same rows at every run. */
const INSERT = `
insert into gateway_usage (call_id, started_at, settled_at, lease_id, account_id, user_id, key_id, model, upstream, price_version, dialect, stream, status, outcome, provenance,
  amount, input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
select 'call_' || lpad(to_hex(floor(s.at)::bigint), 8, '0') || substr(md5(s.n::text || s.at::text), 1, 16), to_timestamp(floor(s.at * 1000) / 1000), to_timestamp(s.at + 2), s.who * 1000 + s.h % 7,
  ($1::bigint[])[s.who], ($6::text[])[s.who], 'key_bench_' || s.who || '_' || (1 + s.h / 7 % ${KEYS_PER_ACCOUNT}), ($2::text[])[s.model], 'openai', 1, 'openai-chat', s.h % 3 > 0,
  case when s.failed then 502 else 200 end, case when s.failed then 'upstream_cut' else 'completed' end, 'upstream',
  s.input * 2000 + s.output * 12000, s.input, s.input / 4, s.output, 0, array[0, s.input, 2000000000, s.input * 2000, 4, s.output, 12000000000, s.output * 12000]::bigint[],
  'req_' || s.n, 'chatcmpl-' || s.h, 100 + s.h % 900, 500 + s.h % 9000
from (
  select n, at, h, case when h % 10 < ${BIG_SHARE * 10} then 1 else 2 + (sqrt(h % 1000000)::int % ${SEEDED_ACCOUNTS - 1}) end as who,
    case when h / 11 % 20000 = 0 then 13 else 1 + h / 13 % 12 end as model, h / 17 % 250 = 0 as failed, 50 + h / 19 % 9000 as input, 10 + h / 23 % 1500 as output
  from (select n, $4::float8 + n * $5::float8 as at, abs(hashint8((n + floor($4::float8))::bigint))::bigint as h from generate_series(0, $3::int - 1) n) hashed
) s`
