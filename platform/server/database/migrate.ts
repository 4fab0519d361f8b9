import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ROLE, connect } from './db.ts'

/**
 * Applies the plain SQL files of a folder in the order of their names, each in one transaction with its row; a process
 * killed in the middle leaves the file unapplied. An applied file that changed is refused: migrations go forward only.
 * A file that begins with `-- folds NAME` is what the files up to NAME came to: a database that has NAME has it already.
 */
export async function migrate(databaseUrl: string, folder: string): Promise<string[]> {
  const db = connect(databaseUrl, { max: 1, asOwner: true, name: 'mingxi-migrate' })
  const client = await db.pool.connect()
  const applied: string[] = []
  try {
    await client.query(`select pg_advisory_lock(hashtext('mingxi.migrate'))`)
    await client.query(`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const known = new Map((await client.query<{ name: string; hash: string }>('select name, hash from migrations')).rows.map((row) => [row.name, row.hash]))
    const files = migrationFiles(folder)
    for (const name of files) {
      const text = readFileSync(join(folder, name), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      if (known.get(name) === hash) continue
      const isThere = isFolded(text, known, files)
      if (known.has(name) && !isThere) throw new Error(`migration ${name} was applied in another form; write a new one instead`)
      await client.query('begin')
      try {
        if (!isThere) await client.query(text)
        await client.query('insert into migrations (name, hash) values ($1, $2) on conflict (name) do update set hash = excluded.hash', [name, hash])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
      }
      if (!isThere) applied.push(name)
    }
    // Processes that may not migrate look here before they start.
    await client.query(`grant select on migrations to ${APP_ROLE}`)
  } finally {
    client.release(true)
    await db.close()
  }
  return applied
}

const FOLDS = /^-- folds (\d{4}\w*\.sql)\n/

function isFolded(text: string, known: ReadonlyMap<string, string>, files: readonly string[]): boolean {
  const last = FOLDS.exec(text)?.[1]
  if (last === undefined) return false
  if (known.has(last)) return true
  const older = [...known.keys()].findLast((name) => !files.includes(name))
  if (older !== undefined) throw new Error(`the database has ${older} but not ${last}: migrate it with a release that has that file first`)
  return false
}

/** Names of files that the database does not have yet, asked with the rights of the application. */
export async function unmigrated(databaseUrl: string, folder: string): Promise<string[]> {
  const db = connect(databaseUrl, { max: 1, name: 'mingxi-migrate' })
  try {
    const known = new Set((await db.query<{ name: string }>('select name from migrations')).map((row) => row.name))
    return migrationFiles(folder).filter((name) => !known.has(name))
  } finally {
    await db.close()
  }
}

function migrationFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}
