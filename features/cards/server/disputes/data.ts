import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { DISPUTE_REASONS, DISPUTE_STATES } from '../../words.ts'
import type { CardsDisputesRow } from '../tables.ts'

export type DisputeState = (typeof DISPUTE_STATES)[number]
export interface Dispute extends Omit<CardsDisputesRow, 'reason' | 'nextCheckAt'> {
  readonly reason: (typeof DISPUTE_REASONS)[number]
}

export async function insertDispute(
  tx: Tx,
  row: Pick<Dispute, 'id' | 'userId' | 'cardId' | 'transactionId' | 'reason' | 'words' | 'filePath' | 'amount'>,
): Promise<Dispute | undefined> {
  return first(
    await tx.query<Dispute>(
      `insert into cards_disputes (id, user_id, card_id, transaction_id, state, reason, words, file_path, amount) values ($1,$2,$3,$4,'draft',$5,$6,$7,$8)
      on conflict (transaction_id) do nothing returning *`,
      [row.id, row.userId, row.cardId, row.transactionId, row.reason, row.words, row.filePath, row.amount],
    ),
  )
}

export async function lockDispute(tx: Tx, id: string): Promise<Dispute> {
  return (await tx.query<Dispute>('select * from cards_disputes where id = $1 for no key update', [id]))[0]!
}

export async function selectDisputeByRef(sql: Sql, issuer: string, ref: string): Promise<Dispute | undefined> {
  return first(
    await sql.query<Dispute>(
      'select d.* from cards_disputes d join cards_transactions t on t.id = d.transaction_id where d.issuer_ref = $2 and t.issuer = $1',
      [issuer, ref],
    ),
  )
}

export async function selectDisputesByTransaction(sql: Sql, transactionIds: readonly string[]): Promise<ReadonlyMap<string, Dispute>> {
  const rows = await sql.query<Dispute>('select * from cards_disputes where transaction_id = any ($1)', [transactionIds])
  return new Map(rows.map((row) => [row.transactionId, row]))
}

export const selectDisputes = (sql: Sql, userId: string, { limit, offset }: { readonly limit: number; readonly offset: number }) =>
  sql.query<Dispute>('select * from cards_disputes where user_id = $1 order by created_at desc, id limit $2 offset $3', [userId, limit, offset])

export async function countDisputes(sql: Sql, userId: string): Promise<number> {
  return Number((await sql.query<{ n: bigint }>('select count(*) as n from cards_disputes where user_id = $1', [userId]))[0]!.n)
}

export async function changeDispute(
  tx: Tx,
  id: string,
  change: { state: DisputeState; issuerRef?: string; credited?: Nano; credits?: number; submitted?: boolean; finished: boolean },
): Promise<void> {
  await tx.query(
    `update cards_disputes set state = $2, issuer_ref = coalesce($3, issuer_ref), credited = coalesce($4, credited), credits = coalesce($5, credits),
      submitted_at = case when $6 then coalesce(submitted_at, clock_timestamp()) else submitted_at end,
      finished_at = case when $7 then clock_timestamp() end, next_check_at = case when $7 then null else clock_timestamp() + interval '6 hours' end where id = $1`,
    [id, change.state, change.issuerRef ?? null, change.credited ?? null, change.credits ?? null, change.submitted ?? false, change.finished],
  )
}

export async function takeDueDisputes(sql: Sql, limit: number): Promise<Dispute[]> {
  return sql.query<Dispute>(
    `update cards_disputes set next_check_at = clock_timestamp() + interval '1 minute', checks = checks + 1 where id in (
      select id from cards_disputes where next_check_at <= clock_timestamp() order by next_check_at limit $1 for update skip locked) returning *`,
    [limit],
  )
}
