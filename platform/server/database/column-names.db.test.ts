import { expect, test } from 'vitest'
import { createPipelinedDb } from '#platform/testing/one-transaction.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { toColumnName, toPropertyName } from './column-names.ts'
import { SYSTEM, transact } from './transact.ts'

const db = await useTestDb()
const STATEMENT = `select 1 as order_no, 2::bigint as "paid_at_2x", 3 as plain, '{"order_no": 4}'::jsonb as in_json`
const ROW = { orderNo: 1, paidAt2x: 2n, plain: 3, inJson: { order_no: 4 } }

test('columns become camelCase properties, plain, prepared, in a transaction and pipelined; keys in JSON stay', async () => {
  for (let time = 0; time < 3; time++) {
    expect(await db.query(STATEMENT)).toEqual([ROW])
    expect(await db.query(STATEMENT, [], 'test.names')).toEqual([ROW])
    expect(await transact(db, SYSTEM, (tx) => tx.query(STATEMENT, [], 'test.names'))).toEqual([ROW])
  }
  const pipelined = await createPipelinedDb(db.url)
  expect(await pipelined.inOne((one) => Promise.all([one.query(STATEMENT), one.query(STATEMENT)]))).toEqual([[ROW], [ROW]])
  await pipelined.close()
})

test('the columns of the schema survive the way there and back', async () => {
  const columns = await db.query<{ columnName: string }>(`select distinct column_name from information_schema.columns where table_schema = 'public'`)
  expect(columns.length).toBeGreaterThan(500)
  const changed = columns.map(({ columnName }) => columnName).filter((name) => toColumnName(toPropertyName(name)) !== name)
  expect(changed).toEqual([])
})
