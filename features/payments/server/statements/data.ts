import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { PaymentsFaultsRow } from '../tables.ts'
import type { StatementDiscrepancy, StatementLine } from './statement-discrepancies.ts'

export interface DiscrepancyRow extends Pick<PaymentsFaultsRow, 'id' | 'channelType' | 'class' | 'kind' | 'subject' | 'tradeNo' | 'state'> {
  readonly day: string
  readonly ours: Readonly<Record<string, string>> | null
  readonly theirs: Readonly<Record<string, string>> | null
}

/** Plans the comparison of a channel's day; no effect if planned already. */
export async function planStatement(sql: Sql, channelType: number, day: string): Promise<void> {
  await sql.query('insert into payments_statements (channel_type, day, next_check_at) values ($1,$2,now()) on conflict do nothing', [channelType, day])
}

/** Claims due days and reschedules each with a growing backoff, because files may not be ready. */
export async function takeDueStatements(sql: Sql): Promise<{ channelType: number; day: string }[]> {
  return sql.query(
    `update payments_statements s set next_check_at = now() + make_interval(mins => least(240, 10 * (s.checks + 1))), checks = s.checks + 1
    where (channel_type, day) in (select channel_type, day from payments_statements where state = 'waiting' and next_check_at <= now() limit 5 for update skip locked)
    returning channel_type, to_char(day, 'YYYY-MM-DD') as day`,
  )
}

/** Our movements at a channel between two instants, as its statement should list them. */
export async function selectOurLines(sql: Sql, channelType: number, { from, until }: { readonly from: Date; readonly until: Date }): Promise<StatementLine[]> {
  const rows = await sql.query<{
    kind: StatementLine['kind']
    tradeNo: string
    channelTxn: string
    refundNo: string
    minor: bigint
    currency: string
    at: Date
  }>(
    `select 'payment' as kind, trade_no, channel_txn, '' as refund_no, paid_minor as minor, currency, paid_at as at
      from payments_receipts where channel_type = $1 and paid_at >= $2 and paid_at < $3
    union all select 'refund', r.trade_no, r.channel_txn, f.refund_no, f.minor, f.currency, f.finished_at
      from payments_refunds f join payments_receipts r on r.id = f.receipt_id
      where r.channel_type = $1 and f.goes_to = 'channel' and f.state = 'succeeded' and f.finished_at >= $2 and f.finished_at < $3
    union all select 'dispute', r.trade_no, r.channel_txn, '', d.minor, d.currency, d.created_at
      from payments_disputes d join payments_receipts r on r.id = d.receipt_id
      where d.channel_type = $1 and d.created_at >= $2 and d.created_at < $3`,
    [channelType, from, until],
  )
  return rows.map((row) => ({
    kind: row.kind,
    tradeNo: row.tradeNo,
    channelTxn: row.channelTxn,
    refundNo: row.refundNo,
    minor: row.minor,
    currency: row.currency,
    at: row.at,
  }))
}

/** Writes faults once; comparing a day again adds only new ones. */
export async function saveComparison(
  tx: Tx,
  channelType: number,
  { day, lines, faults }: { readonly day: string; readonly lines: number; readonly faults: readonly StatementDiscrepancy[] },
): Promise<void> {
  for (const fault of faults) {
    await tx.query(
      `insert into payments_faults (channel_type, day, class, kind, subject, trade_no, ours, theirs) values ($1,$2,$3,$4,$5,$6,$7,$8) on conflict do nothing`,
      [
        channelType,
        day,
        fault.class,
        fault.kind,
        fault.subject,
        fault.tradeNo,
        fault.ours ? JSON.stringify(fault.ours) : null,
        fault.theirs ? JSON.stringify(fault.theirs) : null,
      ],
    )
  }
  await tx.query(
    `update payments_statements set state = 'compared', compared_at = clock_timestamp(), next_check_at = null, lines = $3 where channel_type = $1 and day = $2`,
    [channelType, day, lines],
  )
}

const DISCREPANCY_COLUMNS = `id, channel_type, to_char(day, 'YYYY-MM-DD') as day, class, kind, subject, trade_no, ours, theirs, state`

export async function selectOpenDiscrepancies(sql: Sql, limit: number): Promise<DiscrepancyRow[]> {
  return sql.query<DiscrepancyRow>(`select ${DISCREPANCY_COLUMNS} from payments_faults where state = 'open' order by day, channel_type, id limit $1`, [limit])
}

export async function selectDiscrepancyById(sql: Sql, id: bigint): Promise<DiscrepancyRow | undefined> {
  return first(await sql.query<DiscrepancyRow>(`select ${DISCREPANCY_COLUMNS} from payments_faults where id = $1`, [id]))
}

/** Decides a fault once; undefined if it was decided before. */
export async function closeDiscrepancy(
  tx: Tx,
  id: bigint,
  { state, reason }: { readonly state: 'approved' | 'dismissed'; readonly reason: string },
): Promise<DiscrepancyRow | undefined> {
  return first(
    await tx.query<DiscrepancyRow>(
      `update payments_faults set state = $2, actor = $3, reason = $4, decided_at = clock_timestamp() where id = $1 and state = 'open' returning ${DISCREPANCY_COLUMNS}`,
      [id, state, `${tx.actor.kind}:${tx.actor.id}`, reason],
    ),
  )
}

export async function insertStray(
  tx: Tx,
  stray: { channelType: number; channelTxn: string; tradeNo: string; minor: bigint; currency: string; at: string; faultId: bigint; ledgerRef: string },
): Promise<void> {
  await tx.query(
    'insert into payments_strays (channel_type, channel_txn, trade_no, minor, currency, at, fault_id, ledger_ref) values ($1,$2,$3,$4,$5,$6,$7,$8)',
    [stray.channelType, stray.channelTxn, stray.tradeNo, stray.minor, stray.currency, stray.at, stray.faultId, stray.ledgerRef],
  )
}

/** Fee that a channel withheld on one line of its statement; negative: returned. */
export interface StatementCost {
  readonly kind: StatementLine['kind']
  readonly channelTxn: string
  readonly refundNo: string
  readonly feeMinor: bigint
  readonly feeCurrency: string
}

/** Inserts new costs and returns their totals by currency, with an id for each insertion. */
export async function insertCosts(
  tx: Tx,
  channelType: number,
  { day, costs }: { readonly day: string; readonly costs: readonly StatementCost[] },
): Promise<{ id: bigint; currency: string; kept: bigint; back: bigint }[]> {
  return tx.query(
    `with new as (insert into payments_channel_costs (channel_type, day, kind, channel_txn, refund_no, fee_minor, currency)
      select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[]) on conflict do nothing returning id, fee_minor, currency)
    select min(id) as id, currency, coalesce(sum(fee_minor) filter (where fee_minor > 0), 0)::bigint as kept,
      coalesce(-sum(fee_minor) filter (where fee_minor < 0), 0)::bigint as back from new group by currency order by currency`,
    [
      channelType,
      day,
      costs.map(({ kind }) => kind),
      costs.map(({ channelTxn }) => channelTxn),
      costs.map(({ refundNo }) => refundNo),
      costs.map(({ feeMinor }) => feeMinor),
      costs.map(({ feeCurrency }) => feeCurrency),
    ],
  )
}
