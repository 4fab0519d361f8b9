import type { NumberTools } from '../port.ts'

export interface Held extends Record<string, unknown> {
  readonly ref: string
  readonly number: string
  readonly service: string
  readonly country: string
  readonly cost: bigint
  readonly state: 'open' | 'cancelled' | 'finished'
  readonly texts: readonly string[]
  readonly createdAt: Date
}
export const MOODS = ['well', 'empty', 'poor', 'slow', 'down', 'early'] as const
export type Mood = (typeof MOODS)[number]
type Query = NumberTools['query']

export async function moodOf(query: Query): Promise<Mood> {
  return (await query<{ mood: Mood }>('select mood from numbers_sandbox_mood'))[0]?.mood ?? 'well'
}
export const setMood = (query: Query, mood: Mood) => query('update numbers_sandbox_mood set mood = $1', [mood])

export async function insertHeld(query: Query, one: Pick<Held, 'ref' | 'number' | 'service' | 'country' | 'cost'>): Promise<boolean> {
  const rows = await query('insert into numbers_sandbox (ref, number, service, country, cost) values ($1,$2,$3,$4,$5) on conflict do nothing returning ref', [
    one.ref,
    one.number,
    one.service,
    one.country,
    one.cost,
  ])
  return rows.length > 0
}
export async function heldByRef(query: Query, ref: string): Promise<Held | undefined> {
  return (await query<Held>('select * from numbers_sandbox where ref = $1', [ref]))[0]
}
export async function heldOpen(query: Query): Promise<Held[]> {
  return query<Held>(`select * from numbers_sandbox where state = 'open' order by created_at desc`)
}
export async function heldLately(query: Query): Promise<Held[]> {
  return query<Held>('select * from numbers_sandbox order by created_at desc limit 30')
}
/** Ends it; a number that has had a message is paid. */
export async function endHeld(query: Query, ref: string, state: 'cancelled' | 'finished'): Promise<boolean> {
  const rows = await query(`update numbers_sandbox set state = $2 where ref = $1 and state = 'open' and ($2 = 'finished' or texts = '[]') returning ref`, [
    ref,
    state,
  ])
  return rows.length > 0
}
export async function addText(query: Query, ref: string, text: string): Promise<void> {
  await query(`update numbers_sandbox set texts = texts || to_jsonb(array[$2::text]) where ref = $1 and state = 'open'`, [ref, text])
}
export async function spentAt(query: Query): Promise<bigint> {
  const [row] = await query<{ spent: bigint }>(`select coalesce(sum(cost), 0)::bigint as spent from numbers_sandbox where texts <> '[]' or state = 'finished'`)
  return row?.spent ?? 0n
}
