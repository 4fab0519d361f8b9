import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import { bookIn } from './data-book.ts'
import type { PrepareSql } from './data-book.ts'
import { SCHEMA } from './data-schema.ts'
import type { Kind, Kinds } from './model.ts'

export interface Marks {
  readonly at: number
  readonly card?: string | undefined
  readonly link?: string | undefined
  readonly visit?: string | undefined
  readonly due?: number | undefined
}
export interface Notice {
  readonly seq: number
  readonly id: string
  readonly body: string
  readonly tries: number
  readonly fault: string | null
}
export interface Reveal {
  readonly card: string
  readonly origin: string
  readonly lang: 'zh' | 'en'
  readonly theme: 'light' | 'dark'
  readonly ends: number
}
export type Store = ReturnType<typeof openStore>

const write = (value: unknown) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
const read = <T>(text: string): T => JSON.parse(text, (key, one: unknown) => (key.endsWith('inor') ? BigInt(one as string) : one)) as T
type Row = Record<string, unknown>

/** `:memory:`, or a file that may be killed at any moment. */
export function openStore(file: string) {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000;')
  db.exec(SCHEMA)
  const known = new Map<string, StatementSync>()
  const sql = (text: string) => {
    const found = known.get(text) ?? db.prepare(text)
    known.set(text, found)
    return found
  }
  let depth = 0

  return {
    ...objectsIn(sql),
    ...secretsIn(sql),
    ...bookIn(sql),
    ...noticesIn(sql),
    /** Runs the work in a transaction. */
    atomic<T>(work: () => T): T {
      if (depth) return work()
      db.exec('begin immediate')
      depth++
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (error) {
        db.exec('rollback')
        throw error
      } finally {
        depth--
      }
    },
    close(): void {
      db.close()
    },
  }
}

const bodies = <K extends Kind>(rows: readonly Row[]) => rows.map((row) => read<Kinds[K]>(row['body'] as string))

function objectsIn(sql: PrepareSql) {
  return {
    insert<K extends Kind>(kind: K, body: Kinds[K], { at, card, link, visit, due }: Marks): void {
      sql('insert into objects (kind, ref, at, card, link, visit, due, body) values (?, ?, ?, ?, ?, ?, ?, ?)').run(
        kind,
        body.ref,
        at,
        card ?? null,
        link ?? null,
        visit ?? null,
        due ?? null,
        write(body),
      )
    },
    update<K extends Kind>(kind: K, body: Kinds[K]): void {
      const due = 'due' in body ? (body.due ?? null) : null
      sql('update objects set body = ?, due = ? where kind = ? and ref = ?').run(write(body), due, kind, body.ref)
    },
    find<K extends Kind>(kind: K, ref: string): Kinds[K] | undefined {
      const row = sql('select body from objects where ref = ? and kind = ?').get(ref, kind)
      return row && read<Kinds[K]>(row['body'] as string)
    },
    /** Time of creation, by the company's clock. */
    createdAt(ref: string): number {
      return (sql('select at from objects where ref = ?').get(ref)?.['at'] as number | undefined) ?? 0
    },
    byLink<K extends Kind>(kind: K, link: string): Kinds[K][] {
      return bodies<K>(sql('select body from objects where kind = ? and link = ? order by seq').all(kind, link))
    },
    ofCard<K extends Kind>(kind: K, card: string): Kinds[K][] {
      return bodies<K>(sql('select body from objects where kind = ? and card = ? order by seq').all(kind, card))
    },
    all<K extends Kind>(kind: K, limit = 1_000_000): Kinds[K][] {
      return bodies<K>(sql('select body from objects where kind = ? order by seq desc limit ?').all(kind, limit))
    },
    /** Objects created from one browser, newest first. */
    ofVisit(visit: string, limit: number): { kind: Kind; body: Kinds[Kind] }[] {
      return sql('select kind, body from objects where visit = ? order by seq desc limit ?')
        .all(visit, limit)
        .map((row) => ({ kind: row['kind'] as Kind, body: read<Kinds[Kind]>(row['body'] as string) }))
    },
    /** Transactions in [from, to), `limit` of them after the one named. */
    book(from: number, to: number, after: string, limit: number): Kinds['transaction'][] {
      const last = after ? sql('select at, seq from objects where ref = ?').get(after) : undefined
      const [at, seq] = [(last?.['at'] as number | undefined) ?? from, (last?.['seq'] as number | undefined) ?? 0]
      return bodies<'transaction'>(
        sql(`select body from objects where kind = 'transaction' and at >= ? and at < ? and (at > ? or seq > ?) order by at, seq limit ?`).all(
          at,
          to,
          at,
          seq,
          limit,
        ),
      )
    },
    /** The first object due by `by`, if any. */
    nextDue(by: number): { kind: Kind; ref: string; due: number } | undefined {
      const row = sql(`select kind, ref, due from objects where due <= ? order by due, seq limit 1`).get(by)
      return row && { kind: row['kind'] as Kind, ref: row['ref'] as string, due: row['due'] as number }
    },
    undecided(): Kinds['authorization'][] {
      return bodies<'authorization'>(sql(`select body from objects where kind = 'authorization' and json_extract(body, '$.asking')`).all())
    },
  }
}

/** Numbers and codes, what was answered under a key, frames that may be shown once, and facts about the company itself. */
function secretsIn(sql: PrepareSql) {
  return {
    keepNumber(number: string, card: string, cvv: string): boolean {
      return sql('insert or ignore into secrets values (?, ?, ?)').run(number, card, cvv).changes === 1
    },
    cardOfNumber(number: string): { card: string; cvv: string } | undefined {
      return sql('select card, cvv from secrets where number = ?').get(number) as { card: string; cvv: string } | undefined
    },
    numberOf(card: string): { number: string; cvv: string } {
      return sql('select number, cvv from secrets where card = ?').get(card) as { number: string; cvv: string }
    },

    answer(key: string): { hash: string; status: number; body: string } | undefined {
      return sql('select hash, status, body from answers where key = ?').get(key) as { hash: string; status: number; body: string } | undefined
    },
    keepAnswer(key: string, hash: string, status: number, body: string): void {
      sql('insert into answers values (?, ?, ?, ?)').run(key, hash, status, body)
    },
    keepReveal(nonce: string, { card, origin, lang, theme, ends }: Reveal): void {
      sql('insert into reveals (nonce, card, origin, lang, theme, ends) values (?, ?, ?, ?, ?, ?)').run(nonce, card, origin, lang, theme, ends)
    },
    /** Once for each nonce, whatever comes of it. */
    takeReveal(nonce: string): Reveal | undefined {
      return sql('update reveals set used = 1 where nonce = ? and used = 0 returning card, origin, lang, theme, ends').get(nonce) as Reveal | undefined
    },
    fact(name: string): string | undefined {
      return sql('select value from facts where name = ?').get(name)?.['value'] as string | undefined
    },
    keepFact(name: string, value: string): void {
      sql('insert into facts values (?, ?) on conflict (name) do update set value = excluded.value').run(name, value)
    },
  }
}

function noticesIn(sql: PrepareSql) {
  return {
    addNotice(id: string, body: string, due: number, fault: string | undefined): void {
      sql('insert into notices (id, body, due, fault) values (?, ?, ?, ?)').run(id, body, due, fault ?? null)
    },
    dueNotices(by: number, limit: number): Notice[] {
      return sql('select seq, id, body, tries, fault from notices where done = 0 and due <= ? order by due, seq limit ?').all(by, limit) as unknown as Notice[]
    },
    nextNotice(): number | undefined {
      return sql('select min(due) as due from notices where done = 0').get()?.['due'] as number | undefined
    },
    putOff(seq: number, due: number): void {
      sql('update notices set tries = tries + 1, due = ? where seq = ?').run(due, seq)
    },
    noticeDone(seq: number): void {
      sql('update notices set done = 1, tries = tries + 1 where seq = ?').run(seq)
    },
  }
}
