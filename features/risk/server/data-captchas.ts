import { createHash } from 'node:crypto'
import type { Sql } from '#platform/server/database/db.ts'
import type { CaptchaStore } from './vendors/port.ts'

const hashText = (text: string) => createHash('sha256').update(text).digest()

/** Stores proofs as hashes, so that a copy of the tables cannot be used. */
export function createCaptchaStore(sql: Sql): CaptchaStore {
  return {
    spend: async (proof, until) => {
      const rows = await sql.query('insert into risk_spent_proofs (proof, ends_at) values ($1, $2) on conflict (proof) do nothing returning 1', [
        hashText(proof),
        until,
      ])
      return rows.length === 1
    },
    keepPuzzle: async ({ id, scene, answer, until }) => {
      await sql.query('insert into risk_puzzles (id, scene, answer, ends_at) values ($1, $2, $3, $4)', [id, scene, answer, until])
    },
    tryPuzzle: async (id, now, tries) => {
      const [row] = await sql.query<{ answer: Buffer; tries: number }>(
        `update risk_puzzles set tries = tries + 1 where id = $1 and state = 'open' and ends_at > $2 and tries < $3 returning answer, tries`,
        [id, now, tries],
      )
      return row && { answer: row.answer, triesLeft: tries - row.tries }
    },
    passPuzzle: async (id, proof, until) => {
      const rows = await sql.query(`update risk_puzzles set state = 'passed', proof = $2, ends_at = $3 where id = $1 and state = 'open' returning 1`, [
        id,
        hashText(proof),
        until,
      ])
      return rows.length === 1
    },
    spendPuzzle: async (scene, proof, now) => {
      const rows = await sql.query(
        `update risk_puzzles set state = 'spent' where proof = $1 and scene = $2 and state = 'passed' and ends_at > $3 returning 1`,
        [hashText(proof), scene, now],
      )
      return rows.length === 1
    },
  }
}

export async function deleteEndedCaptchas(sql: Sql, now: Date): Promise<void> {
  await sql.query('delete from risk_spent_proofs where ends_at < $1', [now])
  await sql.query('delete from risk_puzzles where ends_at < $1', [now])
}
