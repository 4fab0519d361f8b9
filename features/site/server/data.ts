import type { Sql } from '#platform/server/db.ts'

/** One more answer of this kind today. */
export async function countAnswer(sql: Sql, day: string, article: string, language: string, answer: string): Promise<void> {
  await sql.query(
    `insert into site_help_votes as v (day, article, language, answer, votes) values ($1, $2, $3, $4, 1)
     on conflict (day, article, language, answer) do update set votes = v.votes + 1`,
    [day, article, language, answer],
  )
}
