import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ROLE, connect } from './db.ts'

/**
 * Applies the plain SQL files of a folder in the order of their names, each in one transaction with its row; a process
 * killed in the middle leaves the file unapplied. An applied file that changed is refused: migrations go forward only.
 */
export async function migrate(databaseUrl: string, folder: string): Promise<string[]> {
  const db = connect(databaseUrl, { max: 1, asOwner: true, name: 'mingxi-migrate' })
  const client = await db.pool.connect()
  const applied: string[] = []
  try {
    await client.query(`select pg_advisory_lock(hashtext('mingxi.migrate'))`)
    await client.query(`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const known = new Map((await client.query<{ name: string; hash: string }>('select name, hash from migrations')).rows.map((row) => [row.name, row.hash]))
    for (const name of migrationFiles(folder)) {
      const text = readFileSync(join(folder, name), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      if (known.has(name)) {
        if (known.get(name) !== hash) throw new Error(`migration ${name} was applied in another form; write a new one instead`)
        continue
      }
      await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into migrations (name, hash) values ($1,$2)', [name, hash])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
      }
      applied.push(name)
    }
    // Processes that may not migrate look here before they start.
    await client.query(`grant select on migrations to ${APP_ROLE}`)
  } finally {
    client.release(true)
    await db.close()
  }
  return applied
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
