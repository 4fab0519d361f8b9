import type { Db } from '#platform/server/database/db.ts'

export interface PlannedUsage {
  readonly userId: string
  readonly callId: string
  readonly at: Date
  readonly amount: bigint
  readonly outcome?: string
  readonly model?: string
  readonly upstream?: string
  /** Key of the rows; defaults to an arbitrary one. */
  readonly key?: { readonly accountId: bigint; readonly keyId: string }
}

/** Inserts usage rows without money or sums, for queries that group calls by shared attributes. */
export async function insertPlannedUsage(db: Db, planned: readonly PlannedUsage[]): Promise<void> {
  await db.query(
    `insert into gateway_usage (call_id, started_at, lease_id, account_id, user_id, key_id, model, upstream, price_version, dialect, stream, status, outcome, provenance, amount,
       input_tokens, cached_tokens, output_tokens, reasoning_tokens, lines, request_id, upstream_request_id, first_byte_ms, total_ms)
     select c, at, 1, n, u, k, m, s, 1, 'openai-chat', true, 200, o, 'upstream', a, 100, 0, 10, 0, array[4, 1000000, a, a]::bigint[], 'req_' || c, 'up_' || c, 100, 900
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[], $9::text[]) as p (c, at, u, m, o, a, s, n, k)`,
    [
      planned.map(({ callId }) => callId),
      planned.map(({ at }) => at),
      planned.map(({ userId }) => userId),
      planned.map(({ model }) => model ?? 'gpt-6-luna'),
      planned.map(({ outcome }) => outcome ?? 'completed'),
      planned.map(({ amount }) => amount),
      planned.map(({ upstream }) => upstream ?? 'sandbox'),
      planned.map(({ key }) => key?.accountId ?? 1n),
      planned.map(({ key }) => key?.keyId ?? 'key_test'),
    ],
  )
}
