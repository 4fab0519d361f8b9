import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser, aHold } from './builders.ts'
import { balanceOf, openAccount, statement } from './verbs/balance.ts'
import { capture, captureMany } from './verbs/capture.ts'
import { credit } from './verbs/credit.ts'
import { voidHold } from './verbs/hold.ts'
import { refund } from './verbs/refund.ts'
import { verifyLedger } from './verify.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../apps/server/migrations')
const folder = mkdtempSync(join(tmpdir(), 'mingxi-before-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const db = await useTestDb()
const act = <T>(on: Db, work: Parameters<typeof transact<T>>[2]) =>
  transact(on, SYSTEM, async (tx) => {
    await tx.audit('test.act', 'keyed')
    return work(tx)
  })
const accountOf = (userId: string) => openAccount(db, `user:${userId}`, 'customer')

test('what names an account finds no hold of another: nothing is held, changed, charged or freed', async () => {
  const [owner, other] = [await aFundedUser(db, { purchased: 1000n }), await aFundedUser(db, { purchased: 1000n })]
  const hold = await aHold(db, owner, 300n)
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

test('without an account the call means what it meant: untyped arguments, a reference of another account, many rows', async () => {
  const [one, two] = [await aFundedUser(db, { purchased: 1000n }), await aFundedUser(db, { purchased: 1000n })]
  const holds = [await aHold(db, one, 100n), await aHold(db, two, 100n)] as const
  const [first] = await act(db, (tx) => captureMany(tx, 'many', [{ holdId: holds[0], amount: 10n, ref: 'shared' }]))
  const rows = await act(db, (tx) =>
    captureMany(tx, 'many', [
      { holdId: holds[1], amount: 10n, ref: 'shared' },
      { holdId: holds[1], amount: 20n, ref: 'fresh' },
      { holdId: holds[0], amount: 10n, ref: 'shared' },
      { holdId: 'no such hold', amount: 1n, ref: 'lost' },
      { holdId: holds[0], amount: 30n, ref: 'fresh too' },
      { holdId: holds[0], amount: 30n, ref: 'fresh' },
    ]),
  )
  expect(rows.map((row) => [row.ref, row.outcome, row.captured])).toEqual([
    ['shared', 'ref_reused', 0n],
    ['fresh', 'captured', 20n],
    ['shared', 'replayed', 10n],
    ['lost', 'hold_unknown', 0n],
    ['fresh too', 'captured', 30n],
    ['fresh', 'ref_reused', 0n],
  ])
  expect(rows[2]!.transaction_id).toBe(first!.transaction_id)
  expect(rows[1]!.transaction_id).not.toBe(rows[4]!.transaction_id)
  // as older processes send them
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

test('a ledger from before, with open holds and captures, goes on: nothing is charged twice, everything is found', async () => {
  const before = join(folder, 'migrations')
  mkdirSync(before)
  const names = readdirSync(MIGRATIONS).filter((name) => name < '0038')
  for (const name of names) cpSync(join(MIGRATIONS, name), join(before, name))
  const old = await useTestDb()
  await old.owner.query('drop schema public cascade; drop schema jobs cascade; create schema public')
  await migrate(old.url, before)

  const user = await aFundedUser(old, { purchased: 1000n, granted: 100n })
  const other = await aFundedUser(old, { purchased: 1000n })
  const [open, lease, small] = [await aHold(old, user, 200n), await aHold(old, user, 300n), await aHold(old, user, 10n)]
  const foreign = await aHold(old, other, 50n)
  await act(old, (tx) => captureMany(tx, 'usage', [{ holdId: lease, amount: 40n, ref: 'old' }]))
  const made = await act(old, (tx) => capture(tx, { holdId: small, amount: 25n, kind: 'clearing', ref: 'above', overReason: 'cleared above' }))
  const heads = () => old.query(`select owner, kind, posted, held, entry_count, encode(head, 'hex') as head from wallet_accounts order by id`)
  const stood = await heads()

  const applied = await migrate(old.url, MIGRATIONS)
  expect(applied[0]).toBe('0038_wallet_keyed.sql')
  expect(await heads()).toEqual(stood)
  expect((await verifyLedger(old)).problems).toEqual([])

  const again = await act(old, (tx) =>
    captureMany(tx, 'usage', [
      { holdId: lease, amount: 40n, ref: 'old' },
      { holdId: foreign, amount: 40n, ref: 'old' },
      { holdId: lease, amount: 60n, ref: 'new' },
    ]),
  )
  expect(again.map((row) => row.outcome)).toEqual(['replayed', 'ref_reused', 'captured'])
  expect(await act(old, (tx) => capture(tx, { holdId: small, amount: 25n, kind: 'clearing', ref: 'above', overReason: 'cleared above' }))).toEqual({
    ...made,
    replayed: true,
  })
  await act(old, (tx) => refund(tx, { userId: user, amount: 5n, kind: 'refund', ref: 'r', of: made.transactionId }))
  expect((await act(old, (tx) => credit(tx, { userId: user, amount: 7n, from: 'wash', ref: 'late' }))).replayed).toBe(false)
  expect((await act(old, (tx) => credit(tx, { userId: user, amount: 7n, from: 'wash', ref: 'late' }))).replayed).toBe(true)
  expect(await act(old, (tx) => voidHold(tx, open))).toBe('voided')
  expect(await act(old, (tx) => voidHold(tx, lease))).toBe('posted')
  expect(await balanceOf(old, user)).toMatchObject({ posted: 1100n - 40n - 25n - 60n + 5n + 7n, held: 0n })
  expect((await statement(old, { userId: user, limit: 20 })).map((row) => row.kind)).toEqual([
    'topup',
    'refund',
    'usage',
    'clearing',
    'usage',
    'grant',
    'topup',
  ])
  expect((await verifyLedger(old)).problems).toEqual([])
})
