import { expect, test } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { systemAccount, userAccount } from '../accounts.ts'
import { aFundedUser, aHold } from '../builders.ts'
import { COUNTS } from '../testing/counts.ts'
import { expireDueHolds } from '../data.ts'
import { readBalance } from '../verbs/balance.ts'
import { captureHold, captureHolds } from '../verbs/capture.ts'
import { creditUser } from '../verbs/credit.ts'
import { placeHold, voidHold } from '../verbs/hold.ts'
import { postTransaction } from '../verbs/post.ts'
import { verifyLedger } from '../verify.ts'

const db = await useTestDb({ max: 64 })
const money = <T>(work: (tx: Tx) => Promise<T>) => transact(db, SYSTEM, work)
const nameOf = (error: unknown) => (error instanceof Failure ? error.errorName : `unexpected: ${String(error)}`)
const outcome = (work: Promise<unknown>) => work.then(() => 'done', nameOf)
const spend = (userId: string, amount: bigint, ref: string) =>
  money((tx) => postTransaction(tx, { kind: 'test.spend', ref, legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount }] }))

test(`L2: ${COUNTS.histories} histories on 16 connections are what the journal, in its order, says`, async () => {
  for (let round = 0; round < COUNTS.histories; round++) {
    const users = await Promise.all([0, 1, 2, 3].map((i) => aFundedUser(db, { userId: `l2-${round}-${i}`, purchased: 200n, granted: 60n })))
    const done: { ref: string; result: string }[] = []
    await Promise.all(
      Array.from({ length: 16 }, async (_, lane) => {
        for (let step = 0; step < 6; step++) {
          const ref = `l2-${round}-${lane}-${step}`
          const userId = users[Math.floor(Math.random() * users.length)]!
          const amount = BigInt(1 + Math.floor(Math.random() * 60))
          const choice = Math.floor(Math.random() * 5)
          const result = await outcome(
            choice === 0
              ? money((tx) => creditUser(tx, { userId, amount, from: lane % 2 ? 'wash' : 'grants', ref }))
              : choice === 1
                ? spend(userId, amount, ref)
                : money(async (tx) => {
                    const made = await placeHold(tx, { id: ref, userId, amount, ttlSeconds: 600, purpose: 'test' })
                    if (made.status === 'refused') throw new Failure('INSUFFICIENT_FUNDS')
                    if (choice === 2) await captureHold(tx, { holdId: ref, amount: amount / 2n + 1n, kind: 'test.spend', ref })
                    if (choice === 3) await captureHolds(tx, 'test.spend', { charges: [{ holdId: ref, amount: amount + 1n, ref }] })
                    if (choice === 4 && lane % 2) await voidHold(tx, ref)
                  }),
          )
          done.push({ ref, result })
        }
      }),
    )
    expect(done.filter(({ result }) => result !== 'done' && result !== 'INSUFFICIENT_FUNDS')).toEqual([])
    const owners = users.map((id) => `user:${id}`)
    const entries = await db.query<{ accountId: bigint; seq: bigint; delta: bigint; after: bigint; kind: string }>(
      `select e.* from wallet_entries e
      join wallet_accounts a on a.id = e.account_id where a.owner = any($1) order by e.transfer_id`,
      [owners],
    )
    const seen = new Map<bigint, { posted: bigint; seq: bigint }>()
    for (const entry of entries) {
      const before = seen.get(entry.accountId) ?? { posted: 0n, seq: 0n }
      const posted = before.posted + entry.delta
      expect({ seq: entry.seq, after: entry.after }).toEqual({ seq: before.seq + 1n, after: posted })
      if (entry.kind === 'customer') expect(posted).toBeGreaterThanOrEqual(0n)
      seen.set(entry.accountId, { posted, seq: entry.seq })
    }
    const accounts = await db.query('select id, posted from wallet_accounts where owner = any($1)', [owners])
    for (const account of accounts) expect(account.posted).toBe(seen.get(account.id)?.posted ?? 0n)
    // Each acknowledged reference exists, no refused one does.
    const refs = await db.query<{ ref: string }>(
      `select ref from wallet_transactions where ref like $1 union select ref from wallet_captures where ref like $1
      union select id from wallet_holds where id like $1 and status <> 'refused'`,
      [`l2-${round}-%`],
    )
    expect(new Set(refs.map((row) => row.ref).filter((ref) => ref.split('-').length === 4))).toEqual(
      new Set(done.filter(({ result }) => result === 'done').map(({ ref }) => ref)),
    )
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})

test(`L3: of 64 spendings of 10 on 100 exactly ten succeed, ${COUNTS.spendRounds} times`, async () => {
  for (let round = 0; round < COUNTS.spendRounds; round++) {
    const userId = await aFundedUser(db, { purchased: 100n })
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        outcome(
          i % 2
            ? spend(userId, 10n, `${userId}-${i}`)
            : money(async (tx) => {
                const made = await placeHold(tx, { id: `${userId}-${i}`, userId, amount: 10n, ttlSeconds: 60, purpose: 'test' })
                if (made.status === 'refused') throw new Failure('INSUFFICIENT_FUNDS')
                await captureHold(tx, { holdId: `${userId}-${i}`, amount: 10n, kind: 'test.spend', ref: `${userId}-${i}` })
              }),
        ),
      ),
    )
    expect(results.filter((result) => result === 'done')).toHaveLength(10)
    expect(new Set(results)).toEqual(new Set(['done', 'INSUFFICIENT_FUNDS']))
    expect(await readBalance(db, userId)).toMatchObject({ posted: 0n, held: 0n, available: 0n })
  }
})

test(`L5: capture, void and expiry race for one hold, ${COUNTS.holdRaces} times: one of them has it`, async () => {
  const userId = await aFundedUser(db, { purchased: 1_000_000n })
  for (let round = 0; round < COUNTS.holdRaces; round++) {
    const id = await aHold(db, userId, { amount: 10n, options: { ttlSeconds: 0 } })
    const racers = [
      () => outcome(money((tx) => captureHold(tx, { holdId: id, amount: 7n, kind: 'test.race', ref: id }))),
      () => outcome(money((tx) => voidHold(tx, id))),
      () => expireDueHolds(db, 10).then((count) => (count ? 'done' : 'none')),
    ]
    const [a, b, c] = [...racers.slice(round % 3), ...racers.slice(0, round % 3)]
    const results = await Promise.all([a!(), b!(), c!()])
    const [row] = await db.query('select status, captured from wallet_holds where id = $1', [id])
    expect(
      results.filter((result) => result === 'done'),
      `${results}`,
    ).toHaveLength(1)
    expect(
      results.every((result) => ['done', 'HOLD_CLOSED', 'none'].includes(result)),
      `${results}`,
    ).toBe(true)
    expect([
      ['posted', 7n],
      ['voided', 0n],
      ['expired', 0n],
    ]).toContainEqual([row!.status, row!.captured])
  }
  expect((await readBalance(db, userId)).held).toBe(0n)
  expect((await verifyLedger(db)).problems).toEqual([])
})

test(`K6: a refused hold stays refused after a top-up, ${COUNTS.refusedThenFunded} times; a new id is accepted`, async () => {
  for (let round = 0; round < COUNTS.refusedThenFunded; round++) {
    const userId = await aFundedUser(db, { purchased: 5n })
    const ask = (id: string) => money((tx) => placeHold(tx, { id, userId, amount: 10n, ttlSeconds: 60, purpose: 'test' }))
    expect(await ask(`${userId}-a`)).toMatchObject({ status: 'refused', replayed: false })
    await money((tx) => creditUser(tx, { userId, amount: 50n, from: 'wash', ref: `${userId}-more` }))
    expect(await ask(`${userId}-a`)).toMatchObject({ status: 'refused', replayed: true })
    expect(await ask(`${userId}-b`)).toMatchObject({ status: 'pending', replayed: false })
    await expect(money((tx) => placeHold(tx, { id: `${userId}-b`, userId, amount: 11n, ttlSeconds: 60, purpose: 'test' }))).rejects.toThrow('LEDGER_REF_REUSED')
  }
})

test(`L15: one hot account, ${COUNTS.hotWriters} writers, ${COUNTS.hotPosts} posts each: no deadlock, no lost update`, async () => {
  const users = await Promise.all(Array.from({ length: COUNTS.hotWriters }, (_, lane) => aFundedUser(db, { userId: `hot-${lane}` })))
  const revenue = () => db.query(`select posted, entry_count from wallet_accounts where owner = 'system' and kind = 'revenue' and currency = 'USD'`)
  const [before] = await revenue()
  await Promise.all(
    users.map(async (userId, lane) => {
      for (let step = 0; step < COUNTS.hotPosts; step++) await spend(userId, 3n, `hot-${lane}-${step}`)
    }),
  )
  const [after] = await revenue()
  const posts = BigInt(COUNTS.hotWriters * COUNTS.hotPosts)
  expect(after!.entryCount - (before?.entryCount ?? 0n)).toBe(posts)
  expect(after!.posted - (before?.posted ?? 0n)).toBe(3n * posts)
})
