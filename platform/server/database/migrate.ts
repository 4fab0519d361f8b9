import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { APP_ROLE, connect, first } from './db.ts'

/** Folder below the migrations: one index per file, named after the index. */
const INDEX_FOLDER = 'indexes'

/**
 * Builds indexes on tables in use, one `create index concurrently` per file, without blocking writes. It cannot run in a transaction, so
 * the catalogue records which indexes exist. An index that a killed process left invalid is dropped and rebuilt. Returns the indexes built.
 */
async function buildIndexes(client: pg.ClientBase, folder: string): Promise<string[]> {
  const built: string[] = []
  for (const file of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
    if (!file.endsWith('.sql')) continue
    const name = file.slice(0, -'.sql'.length)
    const state = await selectIndexState(client, name)
    if (state?.isValid) continue
    try {
      if (state) await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`)
      await client.query(readFileSync(join(folder, file), 'utf8'))
    } catch (error) {
      throw new Error(`index ${name}: ${(error as Error).message}`, { cause: error })
    }
    if (!(await selectIndexState(client, name))?.isValid) throw new Error(`index ${name}: ${file} builds no valid index of that name`)
    built.push(`${INDEX_FOLDER}/${file}`)
  }
  return built
}

async function selectIndexState(client: pg.ClientBase, name: string): Promise<{ isValid: boolean } | undefined> {
  const { rows } = await client.query<{ isValid: boolean }>(
    `select i.indisvalid as is_valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and c.relnamespace = 'public'::regnamespace`,
    [name],
  )
  return first(rows)
}

/**
 * Applies the plain SQL files of a folder in the order of their names, each in one transaction with its row; a process killed in the middle
 * leaves the file unapplied. An applied file that has changed is rejected: migrations go forward only. A file that begins with `-- folds
 * NAME (release R)` replaces the files up to NAME, the last one of release R, and is skipped on a database that has NAME; the rows of
 * files that it replaces stay, so release R still accepts the database. A file waits `lockMs` for a lock and is retried later, so that it
 * does not block traffic queued behind it. Indexes are built last, outside transactions.
 */
export async function migrate(databaseUrl: string, folder: string, { lockMs = LOCK_MS }: { readonly lockMs?: number } = {}): Promise<string[]> {
  const db = connect(databaseUrl, { max: 1, asOwner: true, name: 'mingxi-migrate' })
  const client = await db.pool.connect()
  const applied: string[] = []
  try {
    await lockMigrations(client)
    await client.query(`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const known = new Map((await client.query<{ name: string; hash: string }>('select name, hash from migrations')).rows.map((row) => [row.name, row.hash]))
    const files = listMigrationFiles(folder).map((name) => readMigrationFile(folder, name))
    refuseUnfinished(files, known)
    for (const file of files) {
      const { name, hash, folds } = file
      if (known.get(name) === hash) continue
      const isFolded = folds !== undefined && known.has(folds.last)
      // The row of an older file of the same name stays: the release that wrote it compares the hash.
      if (isFolded && known.has(name)) continue
      if (known.has(name)) throw new Error(`migration ${name} was applied in another form; write a new one instead`)
      await applyMigration(client, isFolded ? { ...file, text: '' } : file, lockMs)
      if (!isFolded) applied.push(name)
    }
    // Processes that may not migrate read this table before they start.
    await client.query(`grant select on migrations to ${APP_ROLE}`)
    applied.push(...(await buildIndexes(client, join(folder, INDEX_FOLDER))))
  } finally {
    client.release(true)
    await db.close()
  }
  return applied
}

/** Lock timeout. A statement that waits for a table lock blocks every later statement on the table. */
const LOCK_MS = 2_000
const MAX_ATTEMPTS = 60
const MAX_PAUSE_MS = 5_000
/** Lock timeout and deadlock. */
const LOCK_ERRORS = new Set(['55P03', '40P01'])
const LOCK_POLL_MS = 200

/** Polls for the lock. A session that waits inside a statement holds a snapshot, which `concurrently` would wait for in turn. */
async function lockMigrations(client: pg.PoolClient): Promise<void> {
  const ask = `select pg_try_advisory_lock(hashtext('mingxi.migrate')) as mine`
  while (!(await client.query<{ mine: boolean }>(ask)).rows[0]!.mine) await pause(LOCK_POLL_MS)
}

interface MigrationFile {
  readonly name: string
  readonly hash: string
  /** Empty if the file is already applied. */
  readonly text: string
  /** The last file that this one replaces, and the release that has it. */
  readonly folds: { readonly last: string; readonly release: string } | undefined
}

const FOLDS_LINE = /^-- folds (\d{4}\w*\.sql) \(release (\d+(?:\.\d+)*)\)\n/

function readMigrationFile(folder: string, name: string): MigrationFile {
  const text = readFileSync(join(folder, name), 'utf8')
  const [, last, release] = FOLDS_LINE.exec(text) ?? []
  const folds = last !== undefined && release !== undefined ? { last, release } : undefined
  return { name, hash: createHash('sha256').update(text).digest('hex'), text, folds }
}

/** Throws for a database that stopped among the files that were folded: it holds none of the folded files and not the last file either. */
function refuseUnfinished(files: readonly MigrationFile[], known: ReadonlyMap<string, string>): void {
  const folded = files.filter(({ folds }) => folds && !known.has(folds.last))
  const newest = [...known.keys()].toSorted().at(-1)
  if (!folded.length || newest === undefined || folded.some(({ name, hash }) => known.get(name) === hash)) return
  const { last, release } = folded[0]!.folds!
  throw new Error(`the database has ${newest} but not ${last}: migrate it with the last release ${release} first, then with this one`)
}

async function applyMigration(client: pg.PoolClient, { name, hash, text }: MigrationFile, lockMs: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${lockMs}`)
      if (text) await client.query(text)
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isLocked = error instanceof pg.DatabaseError && LOCK_ERRORS.has(error.code ?? '')
      if (!isLocked || attempt === MAX_ATTEMPTS) throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
    }
    await pause(Math.min(MAX_PAUSE_MS, 100 * 2 ** attempt) * (0.5 + Math.random() / 2))
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Returns the names of migration files that are not applied yet; needs only the application's rights. */
export async function listPendingMigrations(databaseUrl: string, folder: string): Promise<string[]> {
  const db = connect(databaseUrl, { max: 1, name: 'mingxi-migrate' })
  try {
    const known = new Set((await db.query<{ name: string }>('select name from migrations')).map((row) => row.name))
    return listMigrationFiles(folder).filter((name) => !known.has(name))
  } finally {
    await db.close()
  }
}

function listMigrationFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}
