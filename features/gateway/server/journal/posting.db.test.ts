import { expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall } from '../builders.ts'
import type { ApiKey } from '../hot/deps.ts'
import { writeFlush } from './writing/data-flush.ts'
import { createAccountLease } from './leases/account-lease.ts'
import { addNode } from './data-nodes.ts'
import { postAllCharges } from './data-posting.ts'
import { closeLeases, growLease, openLease } from './leases/data-leases.ts'

const ACCOUNTS = 120
const USED = 700n
const db: Db & { owner: Db } = await useTestDb({ max: 10 })
await addNode(db, 'node')

interface Payer {
  readonly key: ApiKey
  readonly leaseId: bigint
}

/** Creates an account with money, a lease, and a call of it that waits to be posted. */
async function aPayer(): Promise<Payer> {
  const { key } = await aKey(db, await aFundedUser(db, { purchased: 1_000_000n }))
  const { leaseId } = createAccountLease(key, 0).lease
  await openLease(db, draw({ key, leaseId }))
  await writeFlush(db, 'node', { opened: [], settled: [aSettledCall(aReservedCall(key, { leaseId }, { held: USED }), USED)], closed: [] })
  return { key, leaseId }
}

const draw = ({ key, leaseId }: Payer) => ({ leaseId, accountId: key.accountId, node: 'node', min: 1000n, wanted: 1000n, spare: 0n })
const waiting = async () => (await db.query<{ account: bigint }>('select account_id as account from gateway_unposted')).map((row) => row.account)
const byAccount = (a: Payer, b: Payer) => Number(a.key.accountId - b.key.accountId)

/** Creates payers in account order; a transaction locks the last one's account until `unlock`. */
async function payersWithLastLocked(): Promise<{ payers: readonly Payer[]; first: Payer; last: Payer; unlock: () => Promise<void> }> {
  const payers: Payer[] = []
  for (let i = 0; i < ACCOUNTS; i++) payers.push(await aPayer())
  payers.sort(byAccount)
  const [first, last] = [payers[0]!, payers.at(-1)!]
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = transact(db, SYSTEM, async (tx) => {
    await growLease(tx, draw(last))
    await tx.audit('test.lock', 'posting')
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const unlock = async () => {
    release.resolve()
    await holder
  }
  return { payers, first, last, unlock }
}

test('a posting holds few accounts at a time: while one of them waits for a lock, those before it are free and posted', async () => {
  const { first, last, unlock } = await payersWithLastLocked()
  const posting = postAllCharges(db)
  await expect.poll(async () => (await waiting()).includes(first.key.accountId)).toBe(false)
  expect(await growLease(db, draw(first))).toMatchObject({ amount: 1000n })
  expect(await waiting()).toContain(last.key.accountId)
  await unlock()
  expect(await posting).toBe(ACCOUNTS)
  expect(await waiting()).toEqual([])
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('leases are given back a few accounts at a time: a process that shuts down does not block draws elsewhere', async () => {
  const { payers, first, unlock } = await payersWithLastLocked()
  const refs = payers.map(({ key, leaseId }) => ({ accountId: key.accountId, leaseId }))
  const closing = closeLeases(db, refs)
  await expect.poll(() => db.query('select from gateway_leases where lease_id = $1', [first.leaseId])).toEqual([])
  expect(await openLease(db, draw({ ...first, leaseId: createAccountLease(first.key, 0).lease.leaseId }))).toMatchObject({ amount: 1000n })
  await unlock()
  await closing
  expect(await db.query('select from gateway_leases where lease_id = any ($1)', [payers.map((payer) => payer.leaseId)])).toEqual([])
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('a lease whose charge the wallet refuses is left behind alone, with an error', async () => {
  const payers = [await aPayer(), await aPayer(), await aPayer()].toSorted(byAccount)
  const middle = payers[1]!.key.accountId
  // A charge of a lease unknown to the wallet.
  await db.owner.query('insert into gateway_unposted (lease_id, account_id, amount) values (4, $1, 5)', [middle])
  await expect(postAllCharges(db)).rejects.toThrow('the wallet refused a capture')
  expect(await waiting()).toEqual([middle])
  await db.owner.query('delete from gateway_unposted where lease_id = 4')
  const posted = await db.query('select from wallet_captures where account_id = any ($1) and amount = $2', [payers.map(({ key }) => key.accountId), USED])
  expect(posted.length).toBe(3)
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('an account with more rows than a transaction takes does not keep those after it waiting', async () => {
  const [much] = [await aPayer(), await aPayer()].toSorted(byAccount)
  await db.owner.query('insert into gateway_unposted (lease_id, account_id, amount) select $1, $2, 1 from generate_series(1, 10000)', [
    much!.leaseId,
    much!.key.accountId,
  ])
  expect(await postAllCharges(db)).toBe(10_001)
  expect(await waiting()).toEqual([much!.key.accountId])
  expect(await postAllCharges(db)).toBe(1)
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('unposted rows are found by index, whatever the table held when the plan was made', async () => {
  for (let i = 0; i < 3; i++) await aPayer()
  const read = await transact(db, SYSTEM, async (tx) => {
    await tx.audit('test.post', 'posting')
    const scanned = async () =>
      (await tx.query<{ rows: bigint }>(`select seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'gateway_unposted'`))[0]!.rows
    const before = await scanned()
    expect(await postAllCharges(tx)).toBe(3)
    return (await scanned()) - before
  })
  expect(read).toBe(0n)
})
