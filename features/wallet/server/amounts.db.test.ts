import { expect, test } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import { MAX_AMOUNT } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { walletContract } from '../contract.ts'
import { systemAccount, userAccount } from './accounts.ts'
import { aFundedUser, aHold } from './builders.ts'
import { captureHold, captureHolds } from './verbs/capture.ts'
import { creditUser } from './verbs/credit.ts'
import { placeHold, resizeHold } from './verbs/hold.ts'
import { postTransaction } from './verbs/post.ts'

const db = await useTestDb()

const ABUSE: readonly unknown[] = [
  0n,
  -1n,
  -0,
  10n ** 30n,
  MAX_AMOUNT + 1n,
  1e30,
  1e-9,
  2 ** 53 + 1,
  12,
  '１００',
  '1,000',
  '10',
  '0x10',
  '',
  NaN,
  Infinity,
  [],
  [5n],
  {},
  null,
  true,
  undefined,
]

test('L12: no amount field takes anything but an amount, and none leaves a row', async () => {
  const userId = await aFundedUser(db)
  const holdId = await aHold(db, userId, { amount: 1000n })
  const fields: Record<string, (tx: Tx, amount: Nano) => Promise<unknown>> = {
    'post': (tx, amount) =>
      postTransaction(tx, { kind: 'test.abuse', ref: 'test.abuse', legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount }] }),
    'second leg': (tx, amount) =>
      postTransaction(tx, {
        kind: 'test.abuse',
        ref: 'test.abuse',
        legs: [
          { from: userAccount(userId), to: systemAccount('revenue'), amount: 1n },
          { from: userAccount(userId), to: systemAccount('revenue'), amount },
        ],
      }),
    'credit': (tx, amount) => creditUser(tx, { userId, amount, from: 'wash', ref: 'test.abuse' }),
    'hold': (tx, amount) => placeHold(tx, { id: 'test.abuse', userId, amount, ttlSeconds: 60, purpose: 'test' }),
    'capture': (tx, amount) => captureHold(tx, { holdId, amount, kind: 'test.abuse', ref: 'test.abuse' }),
  }
  const optional: typeof fields = {
    'fee': (tx, fee) => creditUser(tx, { userId, amount: 1n, from: 'wash', ref: 'test.abuse', fee }),
    'at least': (tx, atLeast) => placeHold(tx, { id: 'test.abuse', userId, amount: 5n, atLeast, ttlSeconds: 60, purpose: 'test' }),
  }
  const image = async () =>
    JSON.stringify(
      await db.query(`select (select count(*)::int from wallet_transactions) as t, (select count(*)::int from wallet_transfers) as j,
    (select count(*)::int from wallet_holds) as h, (select sum(posted)::text from wallet_accounts where owner <> 'system') as p, (select sum(held)::text from wallet_accounts) as x`),
    )
  const before = await image()
  for (const [name, call] of [...Object.entries(fields), ...Object.entries(optional)]) {
    for (const value of ABUSE) {
      if (name in optional && (value === undefined || (name === 'fee' && value === 0n))) continue
      const failure = await transact(db, SYSTEM, (tx) => call(tx, value as Nano)).catch((error: unknown) => error)
      expect(failure, `${name} ${String(value)}`).toBeInstanceOf(Failure)
      expect((failure as Failure).errorName, `${name} ${String(value)}`).toBe('BAD_AMOUNT')
    }
  }
  for (const value of [10n ** 30n, 1e30, '5', NaN, null, [], 2 ** 53 + 1]) {
    await expect(resizeHold(db, holdId, { delta: value as Nano }), String(value)).rejects.toThrow('BAD_AMOUNT')
  }
  const outcomes = await captureHolds(db, 'test.abuse', {
    charges: [
      { holdId, amount: -5n, ref: 'a' },
      { holdId, amount: 0n, ref: 'b' },
    ],
  })
  expect(outcomes.map((row) => [row.outcome, row.captured])).toEqual([
    ['bad_amount', 0n],
    ['replayed', 0n],
  ])
  expect(await image()).toBe(before)
})

test('L12: no endpoint of the contract takes an amount', () => {
  for (const [name, endpoint] of Object.entries(walletContract))
    expect(
      Object.keys(endpoint.input.shape).filter((key) => !['before', 'limit'].includes(key)),
      name,
    ).toEqual([])
  for (const limit of [0, -1, 201, '１００', '1e1', 'NaN', 1.5])
    expect(walletContract.statement.input.safeParse({ limit }).success && !['1e1'].includes(String(limit)), String(limit)).toBe(false)
  for (const before of ['0', '-1', '1.5', '１', '9'.repeat(19)]) expect(walletContract.statement.input.safeParse({ before }).success, before).toBe(false)
})
