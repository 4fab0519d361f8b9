import { afterAll, inject } from 'vitest'
import pg from 'pg'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'

/** A fresh, migrated database of the running test file's own, dropped at its end. */
export async function createTestDatabase(): Promise<{ url: string }> {
  const base = inject('databaseUrl')
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onAdmin(base, `create database ${name} template template_mingxi strategy file_copy`)
  afterAll(() => onAdmin(base, `drop database if exists ${name} with (force)`))
  const url = new URL(base)
  url.pathname = `/${name}`
  return { url: url.href }
}

/** The database as the application sees it (its own role), closed at the end of the file. */
export async function useTestDb(options: { max?: number } = {}): Promise<Db & { url: string; owner: Db }> {
  const { url } = await createTestDatabase()
  const db = connect(url, { max: options.max ?? 10 })
  const owner = connect(url, { max: 2, asOwner: true })
  afterAll(async () => {
    await Promise.all([db.close(), owner.close()])
  })
  return { ...db, url, owner }
}

async function onAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
