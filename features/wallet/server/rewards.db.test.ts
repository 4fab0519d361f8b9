import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { systemAccount, userAccount } from './accounts.ts'
import type { AccountName, Leg } from './accounts.ts'
import { readBalance, readRewardBalance } from './verbs/balance.ts'
import { postTransaction } from './verbs/post.ts'
import { verifyLedger } from './verify.ts'

const db = await useTestDb()
let refs = 0
const move = (from: AccountName, to: AccountName, { amount, more = {} }: { readonly amount: bigint; readonly more?: Partial<Leg> }) =>
  transact(db, SYSTEM, (tx) => postTransaction(tx, { kind: 'test.test', ref: String(++refs), legs: [{ from, to, amount, ...more }] }))
const [marketing, transit] = [systemAccount('marketing'), systemAccount('in_transit')]
const rewards = (userId: string) => userAccount(userId, 'reward')

test('a reward moves into the balance as granted credit, whatever lot is asked for', async () => {
  await move(marketing, rewards('ann'), { amount: 20n })
  await move(rewards('ann'), userAccount('ann'), { amount: 15n, more: { lot: { kind: 'purchased' } } })
  expect(await readRewardBalance(db, 'ann')).toBe(5n)
  expect(await readBalance(db, 'ann')).toMatchObject({ posted: 15n, grantedUnspent: 15n, purchasedUnspent: 0n, withdrawable: 0n, totalCredited: 0n })
})

test('only taking a reward back makes the account negative, and the next reward fills it', async () => {
  await move(marketing, rewards('bob'), { amount: 20n })
  await move(rewards('bob'), transit, { amount: 20n })
  await expect(move(rewards('bob'), userAccount('bob'), { amount: 1n })).rejects.toThrow('INSUFFICIENT_FUNDS')
  await expect(move(rewards('bob'), transit, { amount: 1n })).rejects.toThrow('INSUFFICIENT_FUNDS')
  await move(rewards('bob'), marketing, { amount: 20n })
  expect(await readRewardBalance(db, 'bob')).toBe(-20n)
  await move(marketing, rewards('bob'), { amount: 30n })
  expect(await readRewardBalance(db, 'bob')).toBe(10n)
})

test('twenty payouts at once take what is there once', async () => {
  await move(marketing, rewards('cat'), { amount: 100n })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => move(rewards('cat'), i % 2 ? transit : userAccount('cat'), { amount: 10n + BigInt(i % 3) })),
  )
  const moved = outcomes.reduce((all, one, i) => all + (one.status === 'fulfilled' ? 10n + BigInt(i % 3) : 0n), 0n)
  expect(await readRewardBalance(db, 'cat')).toBe(100n - moved)
  expect(moved).toBeLessThanOrEqual(100n)
})

test('no other money becomes a reward, and no reward anybody else’s income', async () => {
  await move(systemAccount('wash'), userAccount('dan'), { amount: 50n })
  await expect(move(userAccount('dan'), rewards('dan'), { amount: 1n })).rejects.toThrow()
  await expect(move(systemAccount('wash'), rewards('dan'), { amount: 1n })).rejects.toThrow()
  await move(marketing, rewards('dan'), { amount: 5n })
  await expect(move(rewards('dan'), systemAccount('revenue'), { amount: 1n })).rejects.toThrow()
  await expect(move(marketing, systemAccount('reward'), { amount: 1n })).rejects.toThrow()
  expect((await verifyLedger(db)).problems).toEqual([])
})
