import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { BackofficeExportsRow } from '../tables.ts'

export interface ExportRow extends Pick<BackofficeExportsRow, 'id' | 'path' | 'format' | 'madeBy' | 'madeAt' | 'state' | 'rows' | 'endedAt'> {
  readonly filter: Readonly<Record<string, string | number | boolean>>
}
const FIELDS = 'id, path, filter, format, made_by, made_at, state, rows, ended_at'

export async function insertExport(sql: Sql, made: Pick<ExportRow, 'id' | 'path' | 'filter' | 'format' | 'madeBy' | 'madeAt'>): Promise<void> {
  await sql.query('insert into backoffice_exports (id, path, filter, format, made_by, made_at) values ($1,$2,$3,$4,$5,$6)', [
    ...[made.id, made.path, JSON.stringify(made.filter), made.format, made.madeBy, made.madeAt],
  ])
}

export async function findExport(sql: Sql, id: string): Promise<ExportRow | undefined> {
  return first(await sql.query<ExportRow>(`select ${FIELDS} from backoffice_exports where id = $1`, [id]))
}

/** Records the number of rows written so far. */
export async function updateExportProgress(sql: Sql, id: string, rows: number): Promise<void> {
  await sql.query(`update backoffice_exports set rows = $2 where id = $1 and state = 'waiting'`, [id, rows])
}

export async function endExport(sql: Sql, id: string, ended: { state: 'done' | 'failed'; rows: number; file: Buffer | null; at: Date }): Promise<void> {
  await sql.query(`update backoffice_exports set state = $2, rows = $3, file = $4, ended_at = $5 where id = $1 and state = 'waiting'`, [
    ...[id, ended.state, ended.rows, ended.file, ended.at],
  ])
}

export async function findExportFile(sql: Sql, id: string): Promise<Buffer | undefined> {
  return first(await sql.query<{ file: Buffer }>(`select file from backoffice_exports where id = $1 and state = 'done'`, [id]))?.file
}

export function listExportsByOperator(sql: Sql, operatorId: string, since: Date): Promise<ExportRow[]> {
  return sql.query<ExportRow>(`select ${FIELDS} from backoffice_exports where made_by = $1 and made_at > $2 order by made_at desc, id limit 100`, [
    operatorId,
    since,
  ])
}

export async function forgetExports(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from backoffice_exports where made_at < $1', [before])
}
