import type { Sql } from '#platform/server/database/db.ts'
import type { RiskCountersRow } from './tables.ts'
import { createHash } from 'node:crypto'
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

/** Counts in one statement, so that parallel events are serialized on the row. */
export async function incrementCounter(
  sql: Sql,
  bucket: string,
  { subject, now, windowSeconds }: { readonly subject: Buffer; readonly now: Date; readonly windowSeconds: number },
): Promise<{ count: number; endsAt: Date }> {
  const [row] = await sql.query<{ count: number; endsAt: Date }>(
    `
    insert into risk_counters as c (bucket, subject, count, ends_at) values ($1, $2, 1, $3::timestamptz + make_interval(secs => $4))
    on conflict (bucket, subject) do update set
      count = case when c.ends_at <= $3 then 1 else least(c.count + 1, 1000000000) end,
      ends_at = case when c.ends_at <= $3 then excluded.ends_at else c.ends_at end
    returning count, ends_at`,
    [bucket, subject, now, windowSeconds],
    'risk.count-up',
  )
  return { count: row!.count, endsAt: row!.endsAt }
}

export async function decrementCounter(sql: Sql, bucket: string, subject: Buffer): Promise<void> {
  await sql.query('update risk_counters set count = greatest(count - 1, 0) where bucket = $1 and subject = $2', [bucket, subject])
}

export async function deleteEnded(sql: Sql, now: Date): Promise<void> {
  await sql.query('delete from risk_counters where ends_at < $1', [now])
}

export async function readCount(sql: Sql, bucket: string, { subject, now }: { readonly subject: Buffer; readonly now: Date }): Promise<number> {
  const [row] = await sql.query<{ count: number }>('select count from risk_counters where bucket = $1 and subject = $2 and ends_at > $3', [
    bucket,
    subject,
    now,
  ])
  return row?.count ?? 0
}

export async function dropCount(sql: Sql, bucket: string, subject: Buffer): Promise<void> {
  await sql.query('delete from risk_counters where bucket = $1 and subject = $2', [bucket, subject])
}

/** Lowest and highest possible hash of a group. */
const toGroupRange = (group: Buffer) => [Buffer.concat([group, Buffer.alloc(16)]), Buffer.concat([group, Buffer.alloc(16, 255)])]

export async function readGroup(sql: Sql, bucket: string, { group, now }: { readonly group: Buffer; readonly now: Date }): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select coalesce(sum(count), 0)::int as count from risk_counters where bucket = $1 and subject between $2 and $3 and ends_at > $4',
    [bucket, ...toGroupRange(group), now],
  )
  return row!.count
}

export async function dropGroup(sql: Sql, bucket: string, group: Buffer): Promise<void> {
  await sql.query('delete from risk_counters where bucket = $1 and subject between $2 and $3', [bucket, ...toGroupRange(group)])
}

/** Finds a counter by its subject's hash. */
export type CounterRow = Pick<RiskCountersRow, 'subject' | 'count' | 'endsAt'>
const MAX_COUNTERS = 10_000

/** Counters of a bucket that currently exceed a limit, highest first. */
export function selectCountersAbove(sql: Sql, bucket: string, { limit, now }: { readonly limit: number; readonly now: Date }): Promise<CounterRow[]> {
  return sql.query<CounterRow>(
    'select subject, count, ends_at from risk_counters where bucket = $1 and count > $2 and ends_at > $3 order by count desc limit $4',
    [bucket, limit, now, MAX_COUNTERS],
  )
}
