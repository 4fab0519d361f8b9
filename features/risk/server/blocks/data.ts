import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { BlockKind } from '../../contract-blocks.console.ts'
import type { RiskBlocksRow } from '../tables.ts'

export type BlockRow = RiskBlocksRow

/** Serializes writers, because a new block may replace an expired one of the same name. */
export async function lockBlocks(sql: Sql): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('risk.blocks'))`)
}

export function selectActiveBlocks(sql: Sql, now: Date): Promise<BlockRow[]> {
  return sql.query<BlockRow>('select * from risk_blocks where lifted_at is null and ends_at > $1', [now])
}

export async function findActiveBlock(
  sql: Sql,
  kind: BlockKind,
  { value, now }: { readonly value: string; readonly now: Date },
): Promise<BlockRow | undefined> {
  return first(await sql.query<BlockRow>('select * from risk_blocks where kind = $1 and value = $2 and lifted_at is null and ends_at > $3', [kind, value, now]))
}

export async function insertBlock(sql: Sql, row: Omit<BlockRow, 'liftedAt' | 'liftedBy'>): Promise<void> {
  await sql.query(`update risk_blocks set lifted_at = ends_at, lifted_by = 'time' where kind = $1 and value = $2 and lifted_at is null and ends_at <= $3`, [
    ...[row.kind, row.value, row.madeAt],
  ])
  await sql.query('insert into risk_blocks (id, kind, value, digests, note, made_by, made_at, ends_at) values ($1,$2,$3,$4,$5,$6,$7,$8)', [
    ...[row.id, row.kind, row.value, row.digests, row.note, row.madeBy, row.madeAt, row.endsAt],
  ])
}

export async function liftBlock(sql: Sql, id: string, { by, at }: { readonly by: string; readonly at: Date }): Promise<boolean> {
  return (
    (await sql.query('update risk_blocks set lifted_at = $3, lifted_by = $2 where id = $1 and lifted_at is null and ends_at > $3 returning id', [id, by, at]))
      .length === 1
  )
}

/** Lists blocks, newest first: the active ones, or those that have ended. */
export function listBlocks(
  sql: Sql,
  wish: { readonly kind: BlockKind | undefined; readonly over: boolean; readonly now: Date; readonly after: string | undefined; readonly limit: number },
): Promise<BlockRow[]> {
  return sql.query<BlockRow>(
    `select * from risk_blocks where ($1::text is null or kind = $1) and (lifted_at is not null or ends_at <= $2) = $3 and ($4::text is null or id < $4) order by id desc limit $5`,
    [wish.kind ?? null, wish.now, wish.over, wish.after ?? null, wish.limit],
  )
}

/** Stores the digests of a blocked device or payer under every key of the installation, so that it stays blocked after key rotation. */
export async function addBlockDigests(sql: Sql, kind: 'device' | 'payer', digests: readonly Buffer[]): Promise<void> {
  await sql.query(
    `update risk_blocks set digests = array(select distinct d from unnest(digests || $1::bytea[]) d)
      where kind = $2 and lifted_at is null and digests && $1::bytea[] and not digests @> $1::bytea[]`,
    [digests, kind],
  )
}

/** Digests of a subject's devices or payers. */
export async function selectSubjectDigests(sql: Sql, kind: 'device' | 'payer', subject: string): Promise<Buffer[]> {
  return (await sql.query<{ digest: Buffer }>('select distinct digest from risk_marks where subject = $1 and kind = $2', [subject, kind])).map(
    ({ digest }) => digest,
  )
}

/** Number of customers that share one of these devices or payers. */
export async function countMarkedSubjects(sql: Sql, kind: 'device' | 'payer', digests: readonly Buffer[]): Promise<number> {
  return (
    await sql.query<{ n: number }>(
      `select count(distinct subject)::int as n from risk_marks where kind = $2 and digest = any($1) and subject not like 'operator:%'`,
      [digests, kind],
    )
  )[0]!.n
}
