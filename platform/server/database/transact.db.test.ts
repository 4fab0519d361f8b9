import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { connect } from './db.ts'
import { SYSTEM, transact } from './transact.ts'
import { runOnceByKey } from '../http/idempotency.ts'

const db = await useTestDb()

test('the audit row and the notification share the transaction', async () => {
  await expect(
    transact(db, SYSTEM, async (tx) => {
      await tx.audit('thing.done', 'thing:1')
      await tx.emit('thing.happened', { id: 1 })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await db.query('select 1 from audit_rows')).toEqual([])
  expect(await db.query('select 1 from outbox')).toEqual([])
})

test('a savepoint inside another undoes its own effects only, and leaves the outer one able to undo all of its', async () => {
  await transact(db, SYSTEM, async (tx) => {
    const refused = tx.savepoint(async () => {
      await tx.audit('nested.outer', 'thing:1')
      await tx
        .savepoint(async () => {
          await tx.audit('nested.inner', 'thing:1')
          throw new Error('inner')
        })
        .catch(() => {})
      throw new Error('outer')
    })
    await expect(refused).rejects.toThrow('outer')
    await tx.audit('nested.after', 'thing:1')
  })
  expect(await db.query(`select action from audit_rows where action like 'nested.%'`)).toEqual([{ action: 'nested.after' }])
})

test('the audit cannot be rewritten, by the application or its owner', async () => {
  await transact(db, SYSTEM, (tx) => tx.audit('thing.done', 'thing:1'))
  await expect(db.query(`update audit_rows set action = 'x'`)).rejects.toThrow('permission denied')
  await expect(db.owner.query(`delete from audit_rows`)).rejects.toThrow('append-only')
  await expect(db.owner.query(`truncate audit_rows`)).rejects.toThrow('append-only')
})

test('fifty requests with one key have one effect and one answer', async () => {
  let effects = 0
  const call = (body: unknown, route = 'POST /x', owner = 'user:1') =>
    transact(db, SYSTEM, (tx) => runOnceByKey(tx, { owner, key: 'k1', route, bodies: [body] }, async () => ({ status: 200, body: { n: ++effects } })))
  const replies = await Promise.all(Array.from({ length: 50 }, () => call({ a: 1, b: 2 })))
  expect(effects).toBe(1)
  expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(new Set(['{"status":200,"body":{"n":1}}']))
  expect(await call({ b: 2, a: 1 })).toEqual({ status: 200, body: { n: 1 } })
  await expect(call({ a: 2, b: 2 })).rejects.toThrow('IDEMPOTENCY_KEY_REUSED')
  await expect(call({ a: 1, b: 2 }, 'POST /y')).rejects.toThrow('IDEMPOTENCY_KEY_REUSED')
  expect(await call({ a: 1, b: 2 }, 'POST /x', 'user:2')).toEqual({ status: 200, body: { n: 2 } })
})

test('a refused statement keeps its connection; one with a stale plan ends it', async () => {
  const one = connect(db.url, { max: 1 })
  const backend = async () => (await one.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid
  const pid = await backend()
  await expect(one.query('select 1 / 0')).rejects.toThrow('division by zero')
  await expect(one.query(`insert into outbox (event) values (null)`)).rejects.toThrow('violates not-null')
  expect(await backend()).toBe(pid)
  await db.owner.query('create table changing (a int); grant select on changing to public')
  await one.query('select * from changing', [], 'all_of_it')
  await db.owner.query('alter table changing add b int')
  await expect(one.query('select * from changing', [], 'all_of_it')).rejects.toThrow('cached plan')
  expect(await one.query('select * from changing', [], 'all_of_it')).toEqual([])
  expect(await backend()).not.toBe(pid)
  await one.close()
})
