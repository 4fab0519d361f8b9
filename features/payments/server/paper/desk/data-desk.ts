import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { PaperKind } from '../../../words-out.ts'
import type { PaperRow } from '../data.ts'

export async function selectAnyPaper(sql: Sql, paperNo: string): Promise<PaperRow | undefined> {
  return first(await sql.query<PaperRow>('select * from payments_papers where paper_no = $1', [paperNo]))
}

export interface PaperFilter {
  readonly kind: PaperKind | undefined
  readonly state: 'holds' | 'void' | undefined
  readonly month: string | undefined
  readonly find: string | undefined
  readonly after: string | undefined
  readonly limit: number
}
/** Newest first. */
export function listPapers(sql: Sql, { kind, state, month, find, after, limit }: PaperFilter): Promise<PaperRow[]> {
  return sql.query<PaperRow>(
    `select * from payments_papers where ($1::text is null or kind = $1) and ($2::text is null or (void_at is null) = ($2 = 'holds')) and ($3::text is null or month = $3)
      and ($4::text is null or paper_no = upper($4) or order_no = upper($4) or user_id = $4) and ($5::bigint is null or id < $5) order by id desc limit $6`,
    [kind ?? null, state ?? null, month ?? null, find ?? null, after ?? null, limit],
  )
}
