import type pg from 'pg'
import { copyIn, submittable } from './copy-in.ts'

/** A table that rows go into, by both ways. */
export interface Target {
  readonly copy: string
  readonly name: string
  readonly insert: string
}
/** Rows in COPY's text format: fields (`field`) parted by tabs, each row ended by a line feed. */
export interface Rows {
  readonly into: Target
  readonly text: string
}
/** A statement whose parameters are texts; `name` makes it a prepared one. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

/** From here on COPY costs PostgreSQL less (decision 0028). */
const MANY = 9

export function target(table: string, columns: readonly string[]): Target {
  return {
    copy: `copy ${table} (${columns.join(', ')}) from stdin`,
    name: `insert_${table}`,
    insert: `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
  }
}

/**
 * Inserts rows into tables, then runs `last`, together or not at all, in one round trip: many rows by COPY, a few by prepared
 * inserts, which need no parser and keep their plan. Errors and what they name are the same.
 */
export function insertRows(client: pg.ClientBase, rows: readonly Rows[], last?: Statement): Promise<void> {
  if (isFew(rows)) {
    const inserts = rows.flatMap(({ into, text }) => linesOf(text).map((line) => ({ name: into.name, text: into.insert, values: line.split('\t').map(value) })))
    return runTogether(client, last === undefined ? inserts : [...inserts, last])
  }
  const statements = rows.map(({ into }) => into.copy)
  if (last !== undefined) statements.push(last.text.replace(/\$(\d+)/g, (_, n: string) => literal(last.values[Number(n) - 1]!)))
  return copyIn(
    client,
    statements.join(';'),
    rows.map(({ text }) => text),
  )
}

const SPECIAL = /[\\\t\n\r]/
const NAMES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const MEANT: Readonly<Record<string, string>> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' }

/** A text as a field of COPY's text format. A NUL is left to the server, which refuses it. */
export function field(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => NAMES[char]!) : text
}

/** A field as the text it stands for. */
function value(text: string): string {
  return text.includes('\\') ? text.replace(/\\[\\tnr]/g, (pair) => MEANT[pair]!) : text
}

function isFew(rows: readonly Rows[]): boolean {
  let count = 0
  for (const { text } of rows) for (let at = text.indexOf('\n'); at >= 0 && count < MANY; at = text.indexOf('\n', at + 1)) count++
  return count < MANY
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  lines.pop()
  return lines
}

/** Of a text for the server's parser, which a NUL would end: a parameter with one was refused before it came here. */
function literal(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`
}

/** The part of the driver's connection that statements of the extended protocol need. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  close(what: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string; types: readonly number[] }): void
  bind(values: { statement: string; values: readonly string[] }): void
  execute(portal: object): void
  sync(): void
}

/** Statements that a connection has prepared. */
const prepared = new WeakMap<object, Set<string>>()

/**
 * Runs statements in one round trip. What stands before one Sync is one transaction (PostgreSQL, "Extended Query", "Pipelining").
 * A statement counts as prepared once a whole run went well; until then it is closed first, which is no error where there is none.
 */
function runTogether(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fresh = new Set<string>()
    let known: Set<string>
    const done = (): void => {
      for (const name of fresh) known.add(name)
      resolve()
    }
    client.query(
      submittable(done, reject, (connection) => {
        const server = connection as Connection
        known = prepared.get(server) ?? new Set()
        prepared.set(server, known)
        server.stream.cork()
        for (const { name, text, values } of statements) {
          if (!known.has(name) && !fresh.has(name)) {
            fresh.add(name)
            server.close({ type: 'S', name })
            server.parse({ name, text, types: [] })
          }
          server.bind({ statement: name, values })
          server.execute({})
        }
        server.sync()
        server.stream.uncork()
      }),
    )
  })
}
