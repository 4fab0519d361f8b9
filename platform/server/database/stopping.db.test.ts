import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import type { Log } from '../log.ts'
import { connect } from './db.ts'
import { startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'mingxi-stopping-'))
let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres(folder, { fsync: 'off', shared_buffers: '16MB', max_connections: '30' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a stopping database lets sessions that are about to end finish, and waits at most two seconds for the others', async () => {
  const heard: string[] = []
  const session = async (name: string) => {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', (error) => heard.push(`${name}: ${error.message}`))
    await client.connect()
    return client
  }
  const [leaves] = [await session('leaves'), await session('stays')]
  const stopped = postgres.stop()
  await new Promise((done) => setTimeout(done, 100))
  await leaves.query('select 1')
  await leaves.end()
  await stopped
  expect(heard).toEqual(['stays: terminating connection due to administrator command', 'stays: Connection terminated unexpectedly'])
})

test('a closed pool has no connections left, and logs nothing when its database ends', async () => {
  const { url, owner } = await useTestDb()
  const warned: string[] = []
  const db = connect(url, { max: 20, name: 'closing', log: { warn: (_: unknown, text: string) => warned.push(text) } as unknown as Log })
  await Promise.all(Array.from({ length: 20 }, () => db.query('select pg_sleep(0.05)')))
  let ended = 0
  const clients = (db.pool as unknown as { _clients: pg.Client[] })._clients
  expect(clients.length).toBe(20)
  for (const client of clients) client.once('end', () => ended++)
  await db.close()
  expect(ended).toBe(20)
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'closing'`)
  expect(warned).toEqual([])
})
