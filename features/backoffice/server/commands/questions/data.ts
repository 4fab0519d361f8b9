import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

export interface QuestionRow {
  readonly id: bigint
  readonly operatorId: string
  readonly text: string
  readonly at: Date
  readonly answer: string | null
  readonly answeredAt: Date | null
}

/** Inserts a question and returns its number; undefined if the operator asked the same before. The command must be locked and waiting. */
export async function insertQuestion(
  sql: Sql,
  commandId: bigint,
  { operatorId, text }: { readonly operatorId: string; readonly text: string },
): Promise<bigint | undefined> {
  return first(
    await sql.query<{ id: bigint }>('insert into backoffice_questions (command_id, operator_id, text) values ($1,$2,$3) on conflict do nothing returning id', [
      commandId,
      operatorId,
      text,
    ]),
  )?.id
}

/** Stores an answer; false if the question is already answered. The command must be locked and waiting. */
export async function insertAnswer(
  sql: Sql,
  questionId: bigint,
  { operatorId, text }: { readonly operatorId: string; readonly text: string },
): Promise<boolean> {
  const rows = await sql.query('insert into backoffice_answers (question_id, operator_id, text) values ($1,$2,$3) on conflict do nothing returning 1', [
    questionId,
    operatorId,
    text,
  ])
  return rows.length === 1
}

/** Questions with their answers, oldest first. */
export function listCommandQuestions(sql: Sql, commandId: bigint): Promise<QuestionRow[]> {
  return sql.query<QuestionRow>(
    `select q.id, q.operator_id, q.text, q.at, a.text as answer, a.at as answered_at
    from backoffice_questions q left join backoffice_answers a on a.question_id = q.id where q.command_id = $1 order by q.id`,
    [commandId],
  )
}
