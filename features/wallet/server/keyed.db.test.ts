import { expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser, aHold } from './builders.ts'
import { openAccount } from './verbs/balance.ts'
import { captureHolds } from './verbs/capture.ts'
import { verifyLedger } from './verify.ts'

const db = await useTestDb()
const act = <T>(on: Db, work: Parameters<typeof transact<T>>[2]) =>
  transact(on, SYSTEM, async (tx) => {
    await tx.audit('test.act', 'keyed')
    return work(tx)
  })
const accountOf = (userId: string) => openAccount(db, `user:${userId}`, { kind: 'customer' })

test('a call that names an account finds no hold of another: nothing is held, changed, charged or freed', async () => {
  const [owner, other] = [await aFundedUser(db, { purchased: 1000n }), await aFundedUser(db, { purchased: 1000n })]
  const hold = await aHold(db, owner, { amount: 300n })
  const [own, foreign] = [await accountOf(owner), await accountOf(other)]
  const state = () => db.query(`select id, posted, held, entry_count from wallet_accounts order by id`)
  const holds = () => db.query(`select * from wallet_holds order by id`)
  const [before, holdsBefore] = [await state(), await holds()]
  for (const call of [
    `wallet_void(${foreign}, '${hold}')`,
    `wallet_extend(${foreign}, '${hold}', '1 hour')`,
    `wallet_resize(${foreign}, '${hold}', 10, null, null)`,
    `wallet_resize(${foreign}, '${hold}', -10, '1 hour', null)`,
    `wallet_void(null, '${hold}')`,
    `wallet_void('no such hold')`,
  ])
    await expect(db.query(`select ${call}`), call).rejects.toThrow('HOLD_UNKNOWN')
  await expect(db.query(`select wallet_hold(${foreign}::bigint, '${hold}', 300, '10 minutes', 'test', false, null)`)).rejects.toThrow('LEDGER_REF_REUSED')
  await expect(db.query(`select wallet_hold(0::bigint, 'new', 300, '10 minutes', 'test', false, null)`)).rejects.toThrow('ACCOUNT_UNKNOWN')
  const [charged] = await db.query(
    `select outcome, captured from wallet_capture_many(array[${foreign}]::bigint[], array['${hold}'], array[50]::bigint[], array['r1'], 'usage', 'revenue', 'system', 'x')`,
  )
  expect(charged).toEqual({ outcome: 'hold_unknown', captured: 0n })
  expect(await state()).toEqual(before)
  expect(await holds()).toEqual(holdsBefore)

  const [mine] = await db.query(
    `select outcome, captured from wallet_capture_many(array[${own}]::bigint[], array['${hold}'], array[50]::bigint[], array['r1'], 'usage', 'revenue', 'system', 'x')`,
  )
  expect(mine).toEqual({ outcome: 'captured', captured: 50n })
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a call without an account means what it meant: untyped arguments, a reference of another account, many rows', async () => {
  const [one, two] = [await aFundedUser(db, { purchased: 1000n }), await aFundedUser(db, { purchased: 1000n })]
  const holds = [await aHold(db, one, { amount: 100n }), await aHold(db, two, { amount: 100n })] as const
  const [first] = await act(db, (tx) => captureHolds(tx, 'test.many', { charges: [{ holdId: holds[0], amount: 10n, ref: 'shared' }] }))
  const rows = await act(db, (tx) =>
    captureHolds(tx, 'test.many', {
      charges: [
        { holdId: holds[1], amount: 10n, ref: 'shared' },
        { holdId: holds[1], amount: 20n, ref: 'fresh' },
        { holdId: holds[0], amount: 10n, ref: 'shared' },
        { holdId: 'no such hold', amount: 1n, ref: 'lost' },
        { holdId: holds[0], amount: 30n, ref: 'fresh too' },
        { holdId: holds[0], amount: 30n, ref: 'fresh' },
      ],
    }),
  )
  expect(rows.map((row) => [row.ref, row.outcome, row.captured])).toEqual([
    ['shared', 'ref_reused', 0n],
    ['fresh', 'captured', 20n],
    ['shared', 'replayed', 10n],
    ['lost', 'hold_unknown', 0n],
    ['fresh too', 'captured', 30n],
    ['fresh', 'ref_reused', 0n],
  ])
  expect(rows[2]!.transactionId).toBe(first!.transactionId)
  expect(rows[1]!.transactionId).not.toBe(rows[4]!.transactionId)
  // the form sent by older processes
  await db.query('select wallet_resize($1, $2)', [holds[0], '5'])
  await db.query('select wallet_resize($1, $2, $3)', [holds[0], '5', '1 hour'])
  await db.query('select wallet_resize($1, $2, $3, $4)', [holds[0], '5', '1 hour', '1'])
  await db.query('select wallet_extend($1, $2)', [holds[0], '1 hour'])
  await db.query(`select wallet_hold($1, $2, $3, $4, $5)`, ['untyped', `user:${one}`, '5', '1 hour', 'lease'])
  await db.query(`select wallet_hold($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [
    'untyped too',
    `user:${one}`,
    '5',
    '1 hour',
    'lease',
    'USD',
    'customer',
    'false',
    null,
  ])
  await db.query(`select wallet_hold('gateway.lease.' || $1::bigint, 'user:' || $2, 7, interval '1 hour', 'lease', p_at_least => $3::bigint)`, [77n, one, 3n])
  await db.query(`select wallet_resize('gateway.lease.' || $1::bigint, 7, interval '1 hour', $2::bigint)`, [77n, 3n])
  await db.query(`select wallet_resize('gateway.lease.' || $1::bigint, - $2::bigint)`, [77n, 2n])
  expect(await db.query(`select amount from wallet_holds where id = 'gateway.lease.77'`)).toEqual([{ amount: 12n }])
  await db.query('select wallet_capture_many($1, $2, $3, $4)', [['untyped'], ['5'], ['untyped'], 'usage'])
  await db.query('select wallet_void($1)', [holds[0]])
  expect((await verifyLedger(db)).problems).toEqual([])
})
