import { expect, test } from 'vitest'
import type { Ctx } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { walletContract } from '../contract.ts'
import { systemAccount, userAccount } from './accounts.ts'
import { aFundedUser, aHold } from './builders.ts'
import { expireDueHolds, expireDueLots } from './data.ts'
import { walletRoutes } from './routes.ts'
import { readBalance, listBalanceEntries } from './verbs/balance.ts'
import { captureHold, captureHolds } from './verbs/capture.ts'
import { creditUser } from './verbs/credit.ts'
import { extendHold, placeHold, resizeHold, voidHold } from './verbs/hold.ts'
import { postTransaction } from './verbs/post.ts'
import { refundTransaction } from './verbs/refund.ts'
import { verifyLedger } from './verify.ts'

const db = await useTestDb()
const money = <T>(work: (tx: Tx) => Promise<T>) => transact(db, SYSTEM, work)
const spend = (userId: string, amount: bigint, ref: string) =>
  money((tx) => postTransaction(tx, { kind: 'test.spend', ref, legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount }] }))

test('a top-up with its fee is posted once; the same reference with another body is refused', async () => {
  const topUp = (amount: bigint) => money((tx) => creditUser(tx, { userId: 'once', amount, fee: 35n, from: 'wash', ref: 'order-1', orderRef: 'order-1' }))
  const first = await topUp(1000n)
  expect(first.replayed).toBe(false)
  const again = await Promise.all(Array.from({ length: 20 }, () => topUp(1000n)))
  expect(new Set(again.map((row) => `${row.transactionId} ${row.replayed}`))).toEqual(new Set([`${first.transactionId} true`]))
  await expect(topUp(1001n)).rejects.toThrow('LEDGER_REF_REUSED')
  expect(await readBalance(db, 'once')).toMatchObject({ posted: 1000n, available: 1000n, purchasedUnspent: 1000n, totalCredited: 1000n, totalSpent: 0n })
})

test('fifty concurrent top-ups with one reference credit once', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, () => money((tx) => creditUser(tx, { userId: 'raced', amount: 10n, from: 'wash', ref: 'raced' }))),
  )
  expect(results.filter((row) => !row.replayed)).toHaveLength(1)
  expect((await readBalance(db, 'raced')).posted).toBe(10n)
})

test('granted credit is spent first, cannot be withdrawn, and a refund gives it back as granted', async () => {
  const userId = await aFundedUser(db, { purchased: 100n, granted: 50n })
  await spend(userId, 70n, `${userId}-1`)
  expect(await readBalance(db, userId)).toMatchObject({ purchasedUnspent: 80n, grantedUnspent: 0n, totalSpent: 70n })
  await money((tx) => refundTransaction(tx, { userId, amount: 60n, kind: 'test.refund', ref: userId, of: { kind: 'test.spend', ref: `${userId}-1` } }))
  expect(await readBalance(db, userId)).toMatchObject({ purchasedUnspent: 100n, grantedUnspent: 40n, withdrawable: 100n, totalSpent: 10n })
  await expect(
    money((tx) => refundTransaction(tx, { userId, amount: 11n, kind: 'test.refund', ref: `${userId}-2`, of: { kind: 'test.spend', ref: `${userId}-1` } })),
  ).rejects.toThrow('REFUND_TOO_LARGE')
  await expect(
    money((tx) => refundTransaction(tx, { userId, amount: 1n, kind: 'test.refund', ref: 'x', of: { kind: 'test.spend', ref: 'never' } })),
  ).rejects.toThrow('TRANSACTION_UNKNOWN')
})

test('a withdrawal holds purchased credit only, and nothing else can take that away', async () => {
  const userId = await aFundedUser(db, { purchased: 100n, granted: 50n })
  const ask = (id: string, amount: bigint) =>
    money((tx) => placeHold(tx, { id: `${userId}-${id}`, userId, amount, ttlSeconds: 600, purpose: 'withdrawal', onlyPurchased: true }))
  expect((await ask('a', 101n)).status).toBe('refused')
  expect((await ask('b', 80n)).status).toBe('pending')
  expect((await ask('c', 21n)).status).toBe('refused')
  expect(await readBalance(db, userId)).toMatchObject({ available: 70n, withdrawable: 20n })
  await spend(userId, 70n, `${userId}-spend`)
  await money((tx) => captureHold(tx, { holdId: `${userId}-b`, amount: 80n, kind: 'test.payout', ref: userId, to: systemAccount('in_transit') }))
  expect(await readBalance(db, userId)).toMatchObject({ posted: 0n, held: 0n, totalSpent: 70n })
})

test('a debit of purchased credit alone leaves what a strict hold has promised, whatever was granted beside it', async () => {
  const userId = await aFundedUser(db, { purchased: 100n, granted: 50n })
  await money((tx) => placeHold(tx, { id: `${userId}-strict`, userId, amount: 80n, ttlSeconds: 600, purpose: 'withdrawal', onlyPurchased: true }))
  const payOut = (amount: bigint) =>
    db.query(`select wallet_post('move', $1, $2)`, [
      `${userId}-${amount}`,
      JSON.stringify([
        {
          debit_owner: `user:${userId}`,
          debit_kind: 'customer',
          credit_owner: 'system',
          credit_kind: 'in_transit',
          amount: String(amount),
          take_kind: 'purchased',
        },
      ]),
    ])
  await expect(payOut(21n)).rejects.toMatchObject({ code: 'MX001', message: 'INSUFFICIENT_FUNDS' })
  await payOut(20n)
  expect(await readBalance(db, userId)).toMatchObject({ available: 50n, withdrawable: 0n })
})

test('over-clearing becomes debt, shows as owed, and whatever comes in or is freed pays it first', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  const big = await aHold(db, userId, { amount: 60n })
  const small = await aHold(db, userId, { amount: 20n })
  await expect(money((tx) => captureHold(tx, { holdId: small, amount: 21n, kind: 'test.clearing', ref: small }))).rejects.toThrow('HOLD_EXCEEDED')
  const over = await money((tx) => captureHold(tx, { holdId: small, amount: 70n, kind: 'test.clearing', ref: small, overReason: 'tip' }))
  expect(over).toMatchObject({ fromHold: 20n, fromAvailable: 20n, debt: 30n, replayed: false })
  expect(await readBalance(db, userId)).toMatchObject({ posted: 60n, held: 60n, available: 0n, receivable: -30n })
  expect(await money((tx) => captureHold(tx, { holdId: small, amount: 70n, kind: 'test.clearing', ref: small }))).toMatchObject({ debt: 30n, replayed: true })
  await money((tx) => creditUser(tx, { userId, amount: 10n, from: 'wash', ref: `${userId}-more` }))
  expect(await readBalance(db, userId)).toMatchObject({ available: 0n, receivable: -20n })
  expect(await money((tx) => voidHold(tx, big))).toBe('voided')
  expect(await readBalance(db, userId)).toMatchObject({ posted: 40n, available: 40n, receivable: 0n, totalSpent: 70n })
})

test('leases: captured in parts, grown, renewed, charged in a batch that no bad row stops', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  const lease = await aHold(db, userId, { amount: 50n })
  expect(await resizeHold(db, lease, { delta: 80n })).toMatchObject({ changed: 0n, amount: 50n })
  expect(await resizeHold(db, lease, { delta: 80n, options: { atLeast: 10n, ttlSeconds: 60 } })).toMatchObject({ changed: 50n, uncaptured: 100n })
  expect(await resizeHold(db, lease, { delta: -60n })).toMatchObject({ changed: -60n, uncaptured: 40n })
  expect((await extendHold(db, lease, 3600)).getTime()).toBeGreaterThan(Date.now() + 3_000_000)
  const rows = await captureHolds(db, 'test.usage', {
    charges: [
      { holdId: lease, amount: 30n, ref: `${lease}-1` },
      { holdId: 'missing', amount: 5n, ref: `${lease}-2` },
      { holdId: lease, amount: 30n, ref: `${lease}-3` },
      { holdId: lease, amount: 3n, ref: `${lease}-1` },
    ],
  })
  expect(rows.map((row) => [row.outcome, row.captured, row.fromAvailable])).toEqual([
    ['captured', 30n, 0n],
    ['hold_unknown', 0n, 0n],
    ['captured', 30n, 20n],
    ['ref_reused', 0n, 0n],
  ])
  const [late] = await captureHolds(db, 'test.usage', { charges: [{ holdId: lease, amount: 7n, ref: `${lease}-1` }] })
  expect(late).toMatchObject({ outcome: 'ref_reused', captured: 0n })
  expect(await money((tx) => voidHold(tx, lease))).toBe('posted')
  const [closed] = await captureHolds(db, 'test.usage', { charges: [{ holdId: lease, amount: 45n, ref: `${lease}-4` }] })
  expect(closed).toMatchObject({ outcome: 'captured', fromAvailable: 40n, debt: 5n })
})

test('a lease grows into what no other hold has, and a strict hold into purchased credit that no other has', async () => {
  const userId = await aFundedUser(db, { purchased: 100n, granted: 50n })
  const lease = await aHold(db, userId, { amount: 10n })
  const strict = await aHold(db, userId, { amount: 30n, options: { onlyPurchased: true } })
  await aHold(db, userId, { amount: 60n, options: { onlyPurchased: true } })
  expect(await resizeHold(db, strict, { delta: 40n, options: { atLeast: 1n } })).toMatchObject({ changed: 10n, amount: 40n })
  expect(await resizeHold(db, lease, { delta: 200n, options: { atLeast: 1n } })).toMatchObject({ changed: 40n, amount: 50n })
  expect(await resizeHold(db, lease, { delta: 1n, options: { atLeast: 1n } })).toMatchObject({ changed: 0n, amount: 50n })
  expect(await readBalance(db, userId)).toMatchObject({ held: 150n, available: 0n, withdrawable: 0n })
})

test('a strict hold that was captured in part frees the rest of its purchased credit, and no more', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  const strict = await aHold(db, userId, { amount: 80n, options: { onlyPurchased: true } })
  await money((tx) => captureHold(tx, { holdId: strict, amount: 30n, kind: 'test.payout', ref: strict, to: systemAccount('in_transit'), close: false }))
  expect(await money((tx) => voidHold(tx, strict))).toBe('posted')
  expect(await readBalance(db, userId)).toMatchObject({ posted: 70n, held: 0n, available: 70n, withdrawable: 70n })
  const again = (amount: bigint) =>
    money((tx) => placeHold(tx, { id: `${strict}-${amount}`, userId, amount, ttlSeconds: 600, purpose: 'test', onlyPurchased: true }))
  expect([(await again(71n)).status, (await again(70n)).status]).toEqual(['refused', 'pending'])
})

test('two leases of one account that are too small share what the account has beside them: the rest is debt, once', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  const [one, two] = [await aHold(db, userId, { amount: 40n }), await aHold(db, userId, { amount: 40n })]
  const rows = await captureHolds(db, 'test.usage', {
    charges: [
      { holdId: one, amount: 55n, ref: `${one}-1` },
      { holdId: two, amount: 55n, ref: `${two}-1` },
    ],
  })
  expect(rows.map((row) => [row.fromAvailable, row.debt])).toEqual([
    [15n, 0n],
    [5n, 10n],
  ])
  expect(await readBalance(db, userId)).toMatchObject({ posted: 0n, held: 0n, available: 0n, receivable: -10n })
})

test('overdue holds are freed and overdue lots expire, as far as no hold needs them', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  await aHold(db, userId, { amount: 40n, options: { ttlSeconds: 0 } })
  await expireDueHolds(db, 100)
  expect(await readBalance(db, userId)).toMatchObject({ held: 0n, available: 100n })
  await money((tx) => creditUser(tx, { userId, amount: 30n, from: 'grants', ref: `${userId}-gift`, expiresAt: new Date(Date.now() - 1000) }))
  const kept = await aHold(db, userId, { amount: 110n })
  expect(await expireDueLots(db, 100)).toBe(1)
  expect(await readBalance(db, userId)).toMatchObject({ posted: 110n, held: 110n, grantedUnspent: 10n })
  await money((tx) => voidHold(tx, kept))
  expect(await expireDueLots(db, 100)).toBe(1)
  expect(await readBalance(db, userId)).toMatchObject({ posted: 100n, grantedUnspent: 0n })
})

test('a chargeback of spent credit leaves a debt; the pair table refuses what is not allowed', async () => {
  const userId = await aFundedUser(db, { purchased: 100n })
  await spend(userId, 80n, `${userId}-1`)
  await money((tx) =>
    postTransaction(tx, { kind: 'test.chargeback', ref: userId, legs: [{ from: userAccount(userId), to: systemAccount('wash'), amount: 100n, owe: true }] }),
  )
  expect(await readBalance(db, userId)).toMatchObject({ posted: 0n, receivable: -80n, totalCredited: 80n })
  await expect(
    money((tx) => postTransaction(tx, { kind: 'test.odd', ref: userId, legs: [{ from: systemAccount('revenue'), to: systemAccount('grants'), amount: 1n }] })),
  ).rejects.toThrow(/debit_kind_credit_kind/)
})

test('the statement pages backwards with running balances; both endpoints keep their contract', async () => {
  const userId = await aFundedUser(db, { purchased: 24_100_000_000n })
  for (let i = 0; i < 9; i++) await spend(userId, 1_000_000_000n, `${userId}-${i}`)
  const ctx = { db, userId } as unknown as Ctx
  const seen: string[] = []
  for (let before: string | undefined; ;) {
    const page = walletContract.statement.reply.parse(await walletRoutes.handlers.statement!(ctx, { before, limit: 4 }))
    seen.push(...page.rowList.map((row) => `${row.amount} ${row.balance}`))
    if (!page.next) break
    before = page.next
  }
  expect(seen).toHaveLength(10)
  expect(seen[0]).toBe('-1 15.1')
  expect(seen.at(-1)).toBe('24.1 24.1')
  expect((await listBalanceEntries(db, { userId, limit: 1 }))[0]).toMatchObject({ kind: 'test.spend', after: 15_100_000_000n })
  expect(walletContract.balanceInfo.reply.parse(await walletRoutes.handlers.balanceInfo!(ctx, {}))).toEqual({
    balance: '15.1',
    available: '15.1',
    held: '0',
    granted: '0',
    owed: '0',
    totalRechargeAmount: '24.1',
    totalConsumedAmount: '9',
    fullWithdraw: true,
  })
  await money((tx) =>
    postTransaction(tx, {
      kind: 'test.chargeback',
      ref: `${userId}-back`,
      legs: [{ from: userAccount(userId), to: systemAccount('wash'), amount: 16_100_000_000n, owe: true }],
    }),
  )
  expect(await walletRoutes.handlers.balanceInfo!(ctx, {})).toMatchObject({ balance: '0', owed: '1', fullWithdraw: false })
  expect(await walletRoutes.handlers.balanceInfo!({ db, userId: 'nobody' } as unknown as Ctx, {})).toMatchObject({ balance: '0', fullWithdraw: false })
})

test('after all of it the ledger verifies', async () => {
  expect((await verifyLedger(db)).problems).toEqual([])
})
