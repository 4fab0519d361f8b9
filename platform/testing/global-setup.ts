import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    /** Built pages for the servers of this run; they build their own where none are provided. */
    pagesDir?: string
    /** WebSocket address of the run's browser; without one a file launches its own. */
    browserAt?: string
  }
}

/** One real PostgreSQL for the whole run, with a migrated template that every test file copies. */
export default async function setupTestDatabase(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-test-'))
  // No fsync: tests kill processes, never the machine, and the system's cache keeps PostgreSQL's writes after it is killed.
  // No autovacuum: a file's databases are dropped before they need it, and it would check each of them.
  const postgres = await startPostgres(folder, { max_connections: '400', shared_buffers: '128MB', fsync: 'off', full_page_writes: 'off', autovacuum: 'off' })
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query('create database template_mingxi')
  await admin.end()
  const template = replaceDatabase(postgres.url, 'template_mingxi')
  await migrate(template, join(import.meta.dirname, '../../apps/server/migrations'))
  await pinCatalogueDate(template)
  project.provide('databaseUrl', postgres.url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sets the test catalogue's date in a migrated database to the day that the tests were written for. Call it before anything is seeded. */
export async function pinCatalogueDate(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(readFileSync(join(import.meta.dirname, '../../apps/server/testing/as-written.sql'), 'utf8'))
  await owner.end()
}

export function replaceDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
