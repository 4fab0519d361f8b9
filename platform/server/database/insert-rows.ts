import type pg from 'pg'

/** A table that accepts rows by COPY and by insert. */
export interface CopyTarget {
  readonly table: string
  readonly copy: string
  readonly insert: string
}
/** Rows in COPY's text format: fields (`field`) separated by tabs, each row ended by a line feed. */
export interface CopyRows {
  readonly into: CopyTarget
  readonly text: string
}
/** A prepared statement called `name` with text parameters. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
  /** Input of a `copy ... from stdin`. */
  readonly data?: string
}

/** Number of rows per table from which COPY costs PostgreSQL less than inserts (docs/decisions/leases-and-group-commit.md). */
const COPY_MIN_ROWS = 4

export function defineCopyTarget(table: string, columns: readonly string[]): CopyTarget {
  return {
    table,
    copy: `copy ${table} (${columns.join(', ')}) from stdin`,
    insert: `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
  }
}

/**
 * Inserts rows into tables, then runs `last`, atomically and in one round trip: many rows of a table by COPY, a few by prepared inserts.
 * Errors and the constraint they name are the same either way.
 */
export function insertRows(client: pg.ClientBase, rows: readonly CopyRows[], last?: PreparedStatement): Promise<void> {
  const statements = rows.flatMap(buildStatements)
  return runTogether(client, last === undefined ? statements : [...statements, last])
}

function buildStatements({ into, text }: CopyRows): PreparedStatement[] {
  if (isMany(text)) return [{ name: `copy_${into.table}`, text: into.copy, values: [], data: text }]
  return splitLines(text).map((line) => ({ name: `insert_${into.table}`, text: into.insert, values: line.split('\t').map(unescapeCopyField) }))
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const UNESCAPES: Readonly<Record<string, string>> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' }

/** Escapes text as a field of COPY's text format. PostgreSQL rejects NUL, so it is not checked here. */
export function escapeCopyField(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!) : text
}

/** Unescapes a field of COPY's text format. */
function unescapeCopyField(text: string): string {
  return text.includes('\\') ? text.replace(/\\[\\tnr]/g, (pair) => UNESCAPES[pair]!) : text
}

function isMany(text: string): boolean {
  let at = -1
  for (let row = 0; row < COPY_MIN_ROWS; row++) {
    at = text.indexOf('\n', at + 1)
    if (at < 0) return false
  }
  return true
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  lines.pop()
  return lines
}

/** The part of the driver's connection that this file uses. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  close(what: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string; types: readonly number[] }): void
  bind(values: { statement: string; values: readonly string[] }): void
  execute(portal: object): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sync(): void
}

/** Statements prepared on each connection. */
const prepared = new WeakMap<object, Set<string>>()

/**
 * Runs statements in one round trip. Everything before one Sync is one transaction (PostgreSQL, "Extended Query", "Pipelining"), and COPY
 * data is sent right after its statement: after a failure the server ignores data that is on its way ("COPY Operations"). A statement
 * counts as prepared once a whole run has succeeded. Until then it is closed first; closing an unknown statement is no error.
 */
function runTogether(client: pg.ClientBase, statements: readonly PreparedStatement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fresh = new Set<string>()
    let known: Set<string>
    const done = (): void => {
      for (const name of fresh) known.add(name)
      resolve()
    }
    const submit = (server: Connection): void => {
      known = prepared.get(server) ?? new Set()
      prepared.set(server, known)
      server.stream.cork()
      for (const { name, text, values, data } of statements) {
        if (!known.has(name) && !fresh.has(name)) {
          fresh.add(name)
          server.close({ type: 'S', name })
          server.parse({ name, text, types: [] })
        }
        server.bind({ statement: name, values })
        server.execute({})
        if (data !== undefined) {
          server.sendCopyFromChunk(Buffer.from(data))
          server.endCopyFrom()
        }
      }
      server.sync()
      server.stream.uncork()
    }
    client.query(createSubmittable(done, reject, submit))
  })
}

/** One entry of the driver's query queue: `submit` writes the messages; of the replies only the first error is kept. */
function createSubmittable(resolve: () => void, reject: (error: Error) => void, submit: (connection: Connection) => void): pg.Submittable {
  let failure: Error | undefined
  const nothing = (): void => {}
  return {
    submit: (connection: unknown) => submit(connection as Connection),
    handleError(error: Error) {
      failure ??= error
      reject(failure)
    },
    handleReadyForQuery() {
      if (failure === undefined) resolve()
    },
    handleCopyInResponse: nothing,
    handleCommandComplete: nothing,
    handleRowDescription: nothing,
    handleDataRow: nothing,
    handleEmptyQuery: nothing,
  } as pg.Submittable
}
