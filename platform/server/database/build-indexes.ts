import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { first } from './db.ts'

/** Folder below the migrations: one index a file, named as the index. */
export const INDEX_FOLDER = 'indexes'

/**
 * Builds indexes on tables that are in use, one `create index concurrently` a file: writes go on meanwhile. It cannot run in a transaction, so the catalogue says
 * what is there. One that a killed process left invalid is dropped and rebuilt. Returns what was built.
 */
export async function buildIndexes(client: pg.ClientBase, folder: string): Promise<string[]> {
  const built: string[] = []
  for (const file of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
    if (!file.endsWith('.sql')) continue
    const name = file.slice(0, -'.sql'.length)
    const state = await selectIndexState(client, name)
    if (state?.is_valid) continue
    try {
      if (state) await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`)
      await client.query(readFileSync(join(folder, file), 'utf8'))
    } catch (error) {
      throw new Error(`index ${name}: ${(error as Error).message}`, { cause: error })
    }
    if (!(await selectIndexState(client, name))?.is_valid) throw new Error(`index ${name}: ${file} builds no valid index of that name`)
    built.push(`${INDEX_FOLDER}/${file}`)
  }
  return built
}

async function selectIndexState(client: pg.ClientBase, name: string): Promise<{ is_valid: boolean } | undefined> {
  const { rows } = await client.query<{ is_valid: boolean }>(
    `select i.indisvalid as is_valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and c.relnamespace = 'public'::regnamespace`,
    [name],
  )
  return first(rows)
}
