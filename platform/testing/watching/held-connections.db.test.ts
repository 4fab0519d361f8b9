import { expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { useTestDb } from '../db.ts'
import { createPoolCloser } from './held-connections.ts'

const db = await useTestDb()

test('a connection that a failed test kept does not keep its file from ending', async () => {
  const own = connect(db.url, { max: 3 })
  const close = createPoolCloser(own)
  const [kept, given] = [await own.pool.connect(), await own.pool.connect()]
  given.release()
  await close(50)
  await expect(kept.query('select 1')).rejects.toThrow()
})

test('a connection that is released in time ends normally', async () => {
  const own = connect(db.url, { max: 1 })
  const close = createPoolCloser(own)
  const working = await own.pool.connect()
  const closed = close()
  expect((await working.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  working.release()
  await closed
})
