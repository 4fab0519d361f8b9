import type { Sql } from '#platform/server/database/db.ts'
import type { PolicyReport } from './policy-report.ts'

/** Increments today's count of an answer. */
export async function countHelpAnswer(
  sql: Sql,
  day: string,
  { article, language, answer }: { readonly article: string; readonly language: string; readonly answer: string },
): Promise<void> {
  await sql.query(
    `insert into site_help_votes as v (day, article, language, answer, votes) values ($1, $2, $3, $4, 1)
     on conflict (day, article, language, answer) do update set votes = v.votes + 1`,
    [day, article, language, answer],
  )
}

/** Increments today's count of a report; inserts a new row only while the day has fewer than `most`. */
export async function countPolicyReport(sql: Sql, day: string, { report, most }: { readonly report: PolicyReport; readonly most: number }): Promise<void> {
  await sql.query(
    `insert into site_policy_reports as r (day, directive, blocked, page)
     select $1::date, $2, $3, $4 where (select count(*) from site_policy_reports where day = $1) < $5
       or exists (select from site_policy_reports where day = $1 and directive = $2 and blocked = $3 and page = $4)
     on conflict (day, directive, blocked, page) do update set reports = r.reports + 1`,
    [day, report.directive, report.blocked, report.page, most],
  )
}

export async function deletePolicyReports(sql: Sql, before: string): Promise<void> {
  await sql.query('delete from site_policy_reports where day < $1', [before])
}
