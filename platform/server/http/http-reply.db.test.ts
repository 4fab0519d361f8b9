import { expect, test } from 'vitest'
import pg from 'pg'
import { connect } from '../database/db.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { resolveErrorName } from './http-reply.ts'

const database = await useTestDb()

test('a pool without a free connection is reported as unavailable, not as a fault', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: scaleTimeout(1_000) })
  const taken = await pool.connect()
  const error = await pool.query('select 1').catch((failed: unknown) => failed)
  taken.release()
  await pool.end()
  expect(resolveErrorName(error)).toBe('UNAVAILABLE')
})

test('a database that ends our connection is unavailable too, a fault of ours is not', async () => {
  const db = connect(database.url, { max: 1, asOwner: true })
  const ended = await db.query('select pg_terminate_backend(pg_backend_pid())').catch((failed: unknown) => failed)
  await db.close()
  expect(resolveErrorName(ended)).toBe('UNAVAILABLE')
  expect(resolveErrorName(new Error('a fault of ours'))).toBe('INTERNAL')
  expect(resolveErrorName(rejectedError('too_large', 'its own words'))).toBe('UNAVAILABLE')
})
