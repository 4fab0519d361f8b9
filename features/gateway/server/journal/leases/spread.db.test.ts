import { beforeAll, expect, test } from 'vitest'
import type { Db, Sql } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { readBalance, captureHolds, verifyLedger, voidHold } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall } from '../../builders.ts'
import type { ApiKey } from '../../hot/deps.ts'
import { writeFlush } from '../writing/data-flush.ts'
import { createAccountLease } from './account-lease.ts'
import { postCharges } from '../data-posting.ts'
import type { LeaseRef } from '../data-posting.ts'
import { closeLeases, endLease, extendLease, growLease, openLease, shrinkLease } from './data-leases.ts'

/**
 * Tests the partitioning of docs/scale.md as far as PostgreSQL alone can show it: every table of the call path is partitioned by a hash of
 * its account, with keys that begin with the account and no key across accounts, and each step of a call touches only its own account's
 * partition.
 */
const PARTS = 8
/** Partitioned tables and their keys (scale.md). */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  wallet_holds: ['account_id, id'],
  wallet_captures: ['account_id, kind, ref'],
  wallet_over_captures: ['account_id, kind, ref'],
  wallet_transactions: ['account_id, id', 'account_id, kind, ref'],
  wallet_transfers: ['account_id, id'],
  wallet_lots: ['account_id, id'],
  wallet_lot_uses: ['account_id, transfer_id, lot_id'],
  gateway_leases: ['account_id, lease_id'],
  gateway_calls: ['account_id, call_id'],
  gateway_unposted: ['account_id, lease_id, id'],
  gateway_unsummed: [],
}
const NUMBERED = ['wallet_transactions', 'wallet_transfers', 'wallet_lots', 'gateway_unposted']

let db: Db & { url: string; owner: Db }

beforeAll(async () => {
  db = await useTestDb()
  // Makes the planner treat the tables as large, so that rows are found by index. It reads empty tables sequentially.
  for (const way of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
    await db.owner.query(`do $$ begin execute format('alter database %I set ${way} = off', current_database()); end $$`)
  const [view] = await db.owner.query<{ entries: string }>(`select pg_get_viewdef('wallet_entries'::regclass) as entries`)
  for (const [table, keys] of Object.entries(KEYS)) {
    await db.owner.query(`alter table ${table} rename to ${table}_one`)
    await db.owner.query(
      `create table ${table} (like ${table}_one including defaults including generated including constraints) partition by hash (account_id)`,
    )
    for (let part = 0; part < PARTS; part++)
      await db.owner.query(`create table ${table}_p${part} partition of ${table} for values with (modulus ${PARTS}, remainder ${part})`)
    for (const key of keys) await db.owner.query(`create unique index on ${table} (${key})`)
    if (NUMBERED.includes(table)) await db.owner.query(`alter table ${table} alter id set default nextval('${table}_id_seq')`)
  }
  await db.owner.query(`create or replace view wallet_entries as ${view!.entries}`)
})

interface Payer {
  readonly key: ApiKey
  readonly lease: LeaseRef
  readonly part: string
}

/** Creates a funded user in a partition that none of `others` uses. */
async function aPayerApart(others: readonly Payer[] = []): Promise<Payer> {
  for (;;) {
    const { key } = await aKey(db, await aFundedUser(db, { purchased: 1_000_000n }))
    const [at] = await db.query<{ part: string }>(`select substring(tableoid::regclass::text from 'p\\d+$') as part from wallet_lots where account_id = $1`, [
      key.accountId,
    ])
    if (!others.some((other) => other.part === at!.part))
      return { key, lease: { accountId: key.accountId, leaseId: createAccountLease(key, 0).lease.leaseId }, part: at!.part }
  }
}

/**
 * Counts reads and writes of each table's partitions by this connection. For lots only rows found count: their update is bounded by a list
 * of accounts, which PostgreSQL does not use to prune partitions.
 */
const readTableCounts = async (tx: Sql) =>
  new Map(
    (
      await tx.query<{ table: string; n: bigint }>(`select relname as table, n_tup_ins + n_tup_upd + n_tup_del
        + case when relname like 'wallet_lots%' then seq_tup_read + coalesce(idx_tup_fetch, 0) else seq_scan + coalesce(idx_scan, 0) end as n
      from pg_stat_xact_user_tables where relname ~ '_p\\d+$'`)
    ).map((row) => [row.table, row.n]),
  )

/** Returns the partitions that `step` touched. */
async function listTouchedParts(step: (tx: Sql) => Promise<unknown>): Promise<string[]> {
  return transact(db, SYSTEM, async (tx) => {
    const before = await readTableCounts(tx)
    await step(tx)
    const after = [...(await readTableCounts(tx))].filter(([table, n]) => n > (before.get(table) ?? 0n))
    await tx.audit('test.step', 'spread')
    return [...new Set(after.map(([table]) => /p\d+$/.exec(table)![0]))].toSorted()
  })
}

const draw = (payer: Payer) => ({ ...payer.lease, node: 'node', min: 1000n, wanted: 1000n, spare: 0n })

test('each step of a call touches the part of its account alone', async () => {
  const payer = await aPayerApart()
  const open = aReservedCall(payer.key, payer.lease, { held: 700n })
  const settled = aSettledCall(open, 700n)
  const steps: Readonly<Record<string, (tx: Sql) => Promise<unknown>>> = {
    draw: (tx) => openLease(tx, draw(payer)),
    grow: (tx) => growLease(tx, draw(payer)),
    renew: (tx) => extendLease(tx, payer.lease),
    open: (tx) => writeFlush(tx, 'node', { opened: [open], settled: [], closed: [] }),
    settle: (tx) => writeFlush(tx, 'node', { opened: [], settled: [settled], closed: [settled] }),
    post: (tx) => postCharges(tx, [payer.lease]),
    shrink: (tx) => shrinkLease(tx, payer.lease, 200n),
    end: (tx) => closeLeases(tx, [payer.lease]),
  }
  for (const [name, step] of Object.entries(steps)) expect([name, await listTouchedParts(step)]).toEqual([name, [payer.part]])
  expect((await readBalance(db, payer.key.userId)).posted).toBe(999_300n)
  expect(await db.query('select status, captured from wallet_holds where account_id = $1', [payer.lease.accountId])).toEqual([
    { status: 'posted', captured: 700n },
  ])
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('a posting of several accounts touches theirs, a transaction each, beyond what their leases hold too', async () => {
  const one = await aPayerApart()
  const two = await aPayerApart([one])
  const payers = [one, two]
  for (const payer of payers) {
    await openLease(db, draw(payer))
    const calls = [400n, 900n].map((amount) => aSettledCall(aReservedCall(payer.key, payer.lease, { held: amount }), amount))
    await writeFlush(db, 'node', { opened: [], settled: calls, closed: [] })
  }
  const theirs = payers.map((payer) => payer.part).toSorted()
  expect(
    await listTouchedParts((tx) =>
      postCharges(
        tx,
        payers.map((payer) => payer.lease),
      ),
    ),
  ).toEqual(theirs)
  const rows = await db.query<{ accountId: bigint; transactions: bigint }>(
    `select account_id, count(distinct transaction_id) as transactions from wallet_captures where account_id = any ($1) group by 1`,
    [payers.map((payer) => payer.lease.accountId)],
  )
  expect(rows.map((row) => row.transactions)).toEqual([1n, 1n])
  // Ends the leases like the sweeper does for a dead process.
  for (const payer of payers) expect(await listTouchedParts((tx) => endLease(tx, payer.lease))).toEqual([payer.part])
  for (const { key } of payers) expect(await readBalance(db, key.userId)).toMatchObject({ posted: 998_700n, held: 0n })
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('a hold by its id alone is looked for in every part, which the counter of this test notices', async () => {
  const payer = await aPayerApart()
  await openLease(db, draw(payer))
  const hold = `gateway.lease.${payer.lease.leaseId}`
  expect(await listTouchedParts((tx) => captureHolds(tx, 'test.usage', { charges: [{ holdId: hold, amount: 5n, ref: 'by-id' }] }))).toHaveLength(PARTS)
  await transact(db, SYSTEM, async (tx) => {
    expect(await voidHold(tx, hold)).toBe('posted')
    await tx.audit('test.void', hold)
  })
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})
