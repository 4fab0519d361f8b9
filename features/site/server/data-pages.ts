import type { Sql } from '#platform/server/database/db.ts'
import type { PageError, PageEvent } from './page-report.ts'

/** Increments today's count of an error; inserts a new row only while the day has fewer than `most`. */
export async function countPageError(
  sql: Sql,
  day: string,
  { error: { kind, message, place, page, version }, most }: { readonly error: PageError; readonly most: number },
): Promise<void> {
  await sql.query(
    `insert into site_page_errors as e (day, kind, message, place, page, version)
     select $1::date, $2, $3, $4, $5, $6 where (select count(*) from site_page_errors where day = $1) < $7
       or exists (select from site_page_errors where (day, kind, message, place, page, version) = ($1, $2, $3, $4, $5, $6))
     on conflict (day, kind, message, place, page, version) do update set times = e.times + 1`,
    [day, kind, message, place, page, version, most],
  )
}

export async function countPageEvent(sql: Sql, day: string, { event, detail }: PageEvent): Promise<void> {
  await sql.query(
    `insert into site_page_events as e (day, event, detail) values ($1, $2, $3)
     on conflict (day, event, detail) do update set times = e.times + 1`,
    [day, event, detail],
  )
}

export async function deletePageErrors(sql: Sql, before: string): Promise<void> {
  await sql.query('delete from site_page_errors where day < $1', [before])
}
