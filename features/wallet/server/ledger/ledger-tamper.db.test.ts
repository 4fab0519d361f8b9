import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { systemAccount, userAccount } from '../accounts.ts'
import { aFundedUser, aHold } from '../builders.ts'
import { COUNTS } from '../testing/counts.ts'
import { replayJournal } from '../replay.ts'
import { captureHold, captureHolds } from '../verbs/capture.ts'
import { postTransaction } from '../verbs/post.ts'
import { refundTransaction } from '../verbs/refund.ts'
import { verifyLedger } from '../verify.ts'

const db = await useTestDb()

/** A journal in which every table has rows. */
async function aBusyLedger(): Promise<void> {
  for (let i = 0; i < 12; i++) {
    const userId = await aFundedUser(db, { purchased: 1000n, granted: 100n })
    const lease = await aHold(db, userId, { amount: 200n })
    const small = await aHold(db, userId, { amount: 10n })
    await transact(db, SYSTEM, async (tx) => {
      for (let n = 0; n < 5; n++)
        await postTransaction(tx, {
          kind: 'test.spend',
          ref: `${userId}-${n}`,
          legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: BigInt(n * 10 + 7) }],
        })
      await captureHolds(tx, 'test.usage', {
        charges: [
          { holdId: lease, amount: 20n, ref: `${lease}-1` },
          { holdId: small, amount: 25n, ref: `${small}-1` },
        ],
      })
      await captureHold(tx, { holdId: small, amount: 2000n, kind: 'test.clearing', ref: small, overReason: 'cleared above' })
      await refundTransaction(tx, { userId, amount: 5n, kind: 'test.refund', ref: userId, of: { kind: 'test.spend', ref: `${userId}-4` } })
      await tx.audit('test.busy', userId)
    })
  }
}

await aBusyLedger()

test('L13: every balance, total, hold and lot is the fold of the journal', async () => {
  const { problems, counts } = await verifyLedger(db)
  expect(problems).toEqual([])
  expect(counts.transfers).toBeGreaterThan(100n)
})

test('L14: the journal executed again in an empty database gives the same balances and heads', async () => {
  const copy = await useTestDb()
  await replayJournal(db, copy.owner, SYSTEM)
  const image = (sql: typeof db.query) =>
    sql(
      `select id, owner, kind, currency, posted, held, granted, purchased_held, recharged, spent, entry_count, encode(head, 'hex') as head from wallet_accounts order by id`,
    )
  expect(await image(copy.query)).toEqual(await image(db.query))
  expect((await verifyLedger(copy)).problems).toEqual([])
  await aFundedUser(copy) // new ids begin after the copied ones
  expect((await verifyLedger(copy)).problems).toEqual([])
})

test(`L9: the verifier names the first row that a superuser changed, ${COUNTS.tampers} times`, async () => {
  const ways = [
    (id: bigint) => ({ bad: id, sql: [`update wallet_transfers set amount = amount + 1 where id = ${id}`] }),
    (id: bigint) => ({
      bad: id,
      sql: [`update wallet_transfers set amount = amount + 1, debit_after = debit_after - 1, credit_after = credit_after + 1 where id = ${id}`],
    }),
    (id: bigint) => ({
      bad: id,
      sql: [`update wallet_transactions set ref = ref || 'x' where id = (select transaction_id from wallet_transfers where id = ${id})`],
    }),
    (id: bigint) => ({ bad: undefined, sql: [`delete from wallet_transfers where id = ${id}`] }),
    (id: bigint) => ({
      bad: id,
      sql: [
        `with two as (select t.debit_account_id as account, t.debit_seq as a, n.debit_seq as b from wallet_transfers t
      join wallet_transfers n on n.debit_account_id = t.debit_account_id and n.id > t.id where t.id = ${id} order by n.id limit 1)
      update wallet_transfers w set debit_seq = case w.debit_seq when two.a then -two.b else -two.a end from two where w.debit_account_id = two.account and w.debit_seq in (two.a, two.b)`,
        'update wallet_transfers set debit_seq = -debit_seq where debit_seq < 0',
      ],
    }),
    () => ({ bad: undefined, sql: [`update wallet_accounts set posted = posted + 1 where id = (select max(id) from wallet_accounts)`] }),
    () => ({ bad: undefined, sql: [`update wallet_lots set remaining = remaining - 1 where id = (select max(id) from wallet_lots where remaining > 0)`] }),
    (id: bigint) => ({ bad: id, sql: [`update wallet_transfers set account_id = account_id + 1 where id = ${id}`] }),
    () => ({ bad: undefined, sql: [`update wallet_captures set account_id = account_id + 1 where ref = (select max(ref) from wallet_captures)`] }),
    () => ({ bad: undefined, sql: [`update wallet_over_captures set account_id = null where ref = (select max(ref) from wallet_over_captures)`] }),
    () => ({ bad: undefined, sql: [`update wallet_lot_uses set account_id = account_id + 1 where lot_id = (select max(lot_id) from wallet_lot_uses)`] }),
    () => ({ bad: undefined, sql: [`delete from wallet_over_captures where (kind, ref) = (select kind, ref from wallet_over_captures limit 1)`] }),
  ]
  const candidates = await db.query<{ id: bigint }>(
    `select t.id from wallet_transfers t where exists (select from wallet_transfers n where n.debit_account_id = t.debit_account_id and n.id > t.id)`,
  )
  for (let round = 0; round < COUNTS.tampers; round++) {
    const id = candidates[Math.floor(Math.random() * candidates.length)]!.id
    const { bad, sql } = ways[round % ways.length]!(id)
    const client = await db.owner.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      for (const text of sql) expect((await client.query(text)).rowCount, text).toBeGreaterThan(0)
      const { rows } = await client.query('select * from wallet_verify()')
      expect(rows.length, sql[0]).toBeGreaterThan(0)
      if (sql[0]!.startsWith('update wallet_transactions')) {
        const first = await client.query(
          'select min(id)::text as id from wallet_transfers where transaction_id = (select transaction_id from wallet_transfers where id = $1)',
          [id],
        )
        expect(rows[0].rowId).toBe(first.rows[0].id)
      } else if (bad !== undefined) expect(rows[0], sql[0]).toMatchObject({ atTable: 'wallet_transfers', rowId: String(bad) })
      else if (sql[0]!.startsWith('delete from wallet_transfers')) expect(rows[0].problem).toMatch(/missing/)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('L10: the application cannot write any table of the wallet, nor reach what is behind its functions', async () => {
  const tables = await db.query<{
    name: string
    columns: string[]
    appendOnly: boolean
  }>(`select c.relname as name, array_agg(a.attname::text) filter (where a.attgenerated = '' and a.attidentity = '') as columns,
    exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'append_only') as append_only
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where c.relkind = 'r' and c.relname like 'wallet%' group by c.oid, c.relname`)
  expect(tables.length).toBeGreaterThanOrEqual(10)
  for (const { name, columns } of tables) {
    const statements = [
      `update ${name} set ${columns[0]} = ${columns[0]}`,
      `delete from ${name}`,
      `truncate ${name} cascade`,
      `insert into ${name} default values`,
    ]
    for (const text of statements) await expect(db.query(text), text).rejects.toThrow(/permission denied/)
  }
  // Kinds, pairs, balances, holds and lots change by design, as do the payers named by cards; all other wallet tables are journals.
  const journals = tables.filter((table) => table.appendOnly).map((table) => table.name)
  expect(
    tables
      .map((table) => table.name)
      .filter((name) => !journals.includes(name))
      .toSorted(),
  ).toEqual(['wallet_account_kinds', 'wallet_accounts', 'wallet_allowed_pairs', 'wallet_holds', 'wallet_lots', 'wallet_payers'])
  for (const name of journals) {
    await expect(db.owner.query(`delete from ${name}`), name).rejects.toThrow(/append-only/)
    await expect(db.owner.query(`truncate ${name} cascade`), name).rejects.toThrow(/append-only/)
  }
  for (const call of [
    'wallet_refuse($$x$$)',
    'wallet_lock(array[1])',
    'wallet_repay(1)',
    'wallet_cover(1)',
    `wallet_refuse_owing(null, 'in_transit')`,
    `wallet_step(1, 1, 2, 5, '{}', null)`,
    `wallet_close(1, 'x', 'voided')`,
    `wallet_pending(1, 'x')`,
    `wallet_account_of('x')`,
    `wallet_capture_rows('{}', 'test.usage', 'revenue', 'system', '')`,
    `wallet_journal('{}')`,
    `wallet_journal('{}', '{}')`,
  ]) {
    await expect(db.query(`select ${call}`), call).rejects.toThrow(/permission denied/)
  }
})
