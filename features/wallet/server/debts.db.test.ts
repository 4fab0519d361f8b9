import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { cardAccount, systemAccount, userAccount } from './accounts.ts'
import type { AccountKind } from './accounts.ts'
import { aFundedUser } from './builders.ts'
import { MOVEMENTS } from '../contract-movements.ts'
import { EXIT_KINDS, LEDGER_EXITS } from './exits.ts'
import { readBalance, listBalanceEntries } from './verbs/balance.ts'
import { captureHold } from './verbs/capture.ts'
import { creditUser } from './verbs/credit.ts'
import { readDebt, requireNoDebt, settleDebts, listUnpaidDebts } from './verbs/debts.ts'
import { placeHold, resizeHold, voidHold } from './verbs/hold.ts'
import { postTransaction } from './verbs/post.ts'
import { verifyLedger } from './verify.ts'

const db = await useTestDb({ max: 30 })
const money = <T>(work: (tx: Tx) => Promise<T>) => transact(db, SYSTEM, work)

async function aMember(purchased = 0n, granted = 0n) {
  const userId = await aFundedUser(db, { purchased, granted })
  const cardId = createId('card')
  await db.owner.query('insert into wallet_payers (owner, payer) values ($1, $2)', [`card:${cardId}`, `user:${userId}`])
  const shopTakes = (amount: bigint) =>
    money((tx) =>
      postTransaction(tx, { kind: 'card.spent', ref: createId('ctx'), legs: [{ from: cardAccount(cardId), to: systemAccount('issuer'), amount, owe: true }] }),
    )
  const topUp = (amount: bigint) => money((tx) => creditUser(tx, { userId, amount, from: 'wash', ref: createId('top') }))
  const has = async () => ({ available: (await readBalance(db, userId)).available, owed: await readDebt(db, userId) })
  const isCharged = (amount: bigint) =>
    money((tx) =>
      postTransaction(tx, { kind: 'dispute', ref: createId('dsp'), legs: [{ from: userAccount(userId), to: systemAccount('wash'), amount, owe: true }] }),
    )
  return { userId, cardId, shopTakes, topUp, has, isCharged }
}

test('a shop’s charge beyond the card is paid from bought credit at once, never from a gift, and the rest when more comes', async () => {
  const { userId, shopTakes, topUp, has } = await aMember(30n, 50n)
  await shopTakes(129n)
  expect(await has()).toEqual({ available: 50n, owed: 99n })
  await topUp(40n)
  expect(await has()).toEqual({ available: 50n, owed: 59n })
  await topUp(100n)
  expect(await has()).toEqual({ available: 91n, owed: 0n })
  const rows = (await listBalanceEntries(db, { userId, limit: 20 })).filter(({ kind }) => kind === 'card.debt_paid').map(({ amount }) => amount)
  expect(rows).toEqual([-59n, -40n, -30n])
  expect(await verifyLedger(db)).toMatchObject({ problems: [] })
})

test('a debt of the balance is paid before that of a card, and both before a top-up is available', async () => {
  const { userId, shopTakes, topUp, has, isCharged } = await aMember()
  await shopTakes(20n)
  await isCharged(10n)
  await topUp(15n)
  expect([await has(), (await readBalance(db, userId)).receivable]).toEqual([{ available: 0n, owed: 15n }, 0n])
})

test('a capture above its authorisation is paid by the balance too', async () => {
  const { userId, cardId, has } = await aMember(100n)
  await money((tx) =>
    postTransaction(tx, { kind: 'card.recharge', ref: cardId, legs: [{ from: userAccount(userId), to: systemAccount('in_transit'), amount: 40n }] }),
  )
  await money((tx) =>
    postTransaction(tx, { kind: 'card.loaded', ref: cardId, legs: [{ from: systemAccount('in_transit'), to: cardAccount(cardId), amount: 40n }] }),
  )
  await money((tx) => placeHold(tx, { id: cardId, account: cardAccount(cardId), amount: 40n, ttlSeconds: 60, purpose: 'card.authorization' }))
  const over = { overReason: 'cleared above its authorisation', to: systemAccount('issuer') }
  await money((tx) => captureHold(tx, { holdId: cardId, amount: 65n, kind: 'card.spent', ref: cardId, ...over }))
  expect(await has()).toEqual({ available: 35n, owed: 0n })
})

test('money held for a withdrawal pays a debt as soon as it is free, and cannot leave before', async () => {
  const { userId, shopTakes, has } = await aMember(100n)
  const id = createId('wd')
  await money((tx) => placeHold(tx, { id, userId, amount: 100n, ttlSeconds: 60, purpose: 'withdrawal', onlyPurchased: true }))
  await shopTakes(30n)
  expect(await has()).toEqual({ available: 0n, owed: 30n })
  const leave = (amount: bigint) =>
    money((tx) => captureHold(tx, { holdId: id, amount, kind: 'withdraw.sent', ref: id, to: systemAccount('in_transit'), close: false }))
  await expect(leave(50n)).rejects.toMatchObject({ errorName: 'DEBT_FIRST', data: { owed: '0.00000003' } })
  await money((tx) => resizeHold(tx, id, { delta: -30n }))
  expect(await has()).toEqual({ available: 0n, owed: 0n })
  await leave(50n)
  await money((tx) => voidHold(tx, id))
  expect(await has()).toEqual({ available: 20n, owed: 0n })
})

test('every movement over which money can leave is known, and stops where it is to stop', async () => {
  const pairs = await db.query<{ debitKind: AccountKind; creditKind: AccountKind; leaves: boolean }>(
    `select debit_kind, credit_kind, leaves from wallet_allowed_pairs where debit_kind in ('customer','card','reward','deposit','in_transit')
      or credit_kind = 'wash' and debit_kind in ('revenue','fees')`,
  )
  const name = (pair: { debitKind: string; creditKind: string }) => `${pair.debitKind}>${pair.creditKind}`
  expect(pairs.map(name).toSorted()).toEqual(Object.keys(LEDGER_EXITS).toSorted())
  const stopped = pairs.filter((pair) => LEDGER_EXITS[name(pair)]!.gate === 'ledger')
  expect(pairs.filter(({ leaves }) => leaves).map(name)).toEqual(stopped.map(name))
  for (const pair of stopped)
    for (const debt of ['card', 'balance'] as const) {
      const { userId, shopTakes, isCharged } = await aMember()
      await (debt === 'card' ? shopTakes(5n) : isCharged(5n))
      const legs = [{ from: userAccount(userId, pair.debitKind), to: systemAccount(pair.creditKind), amount: 1n }]
      await expect(money((tx) => postTransaction(tx, { kind: 'test.leaves', ref: createId('x'), legs }))).rejects.toThrow('DEBT_FIRST')
    }
})

test('every kind of movement that can carry money out is known, with what asks for debt before it', () => {
  const OUT = ['channel', 'payee', 'card', 'shop']
  const isExit = ({ from, to }: (typeof MOVEMENTS)[keyof typeof MOVEMENTS]) =>
    (OUT.includes(to) && !OUT.includes(from)) ||
    (from === 'card' && to === 'balance') ||
    (from === 'card' && to === 'shop') ||
    (from === 'reward' && to !== 'house') ||
    (from === 'service' && to === 'balance') ||
    from === 'deposit'
  const leaves = Object.entries(MOVEMENTS).filter(([, entry]) => isExit(entry))
  expect(Object.keys(EXIT_KINDS).toSorted()).toEqual(leaves.map(([kind]) => kind).toSorted())
})

test('the gate settles first, and refuses with the rest to the cent', async () => {
  const { userId, shopTakes } = await aMember()
  await money((tx) => requireNoDebt(tx, userId))
  await shopTakes(12_340_000_001n)
  await expect(money((tx) => requireNoDebt(tx, userId))).rejects.toMatchObject({ errorName: 'DEBT_FIRST', data: { owed: '12.35' } })
})

test('debts that an older version left beside credit are found, and paid once', async () => {
  const userId = await aFundedUser(db, { purchased: 50n, granted: 7n })
  const cardId = createId('card')
  await money((tx) =>
    postTransaction(tx, { kind: 'card.spent', ref: cardId, legs: [{ from: cardAccount(cardId), to: systemAccount('issuer'), amount: 30n, owe: true }] }),
  )
  await db.owner.query('insert into wallet_payers (owner, payer) values ($1, $2)', [`card:${cardId}`, `user:${userId}`])
  expect(await listUnpaidDebts(db, 10)).toMatchObject([{ payer: `user:${userId}`, payable: 30n }])
  expect(await Promise.all([1, 2].map(() => money((tx) => settleDebts(tx, userId))))).toEqual([0n, 0n])
  expect([await listUnpaidDebts(db, 10), (await readBalance(db, userId)).posted]).toEqual([[], 27n])
})

test('withdrawals and shops at once: nothing leaves while something is owed, and no debt stays beside bought credit', async () => {
  for (let round = 0; round < 6; round++) {
    const { userId, cardId, shopTakes, topUp, has } = await aMember(100n)
    const leave = () =>
      money((tx) =>
        postTransaction(tx, { kind: 'refund.taken', ref: createId('x'), legs: [{ from: userAccount(userId), to: systemAccount('in_transit'), amount: 30n }] }),
      )
    const load = () =>
      money((tx) =>
        postTransaction(tx, {
          kind: 'card.refund',
          ref: createId('x'),
          legs: [{ from: systemAccount('issuer'), to: cardAccount(cardId), amount: 5n }],
        }),
      )
    const acts = [leave, () => shopTakes(60n), leave, () => topUp(25n), load, leave, () => shopTakes(20n), leave]
    await Promise.allSettled(acts.map((act) => act()))
    const { available, owed } = await has()
    expect(available === 0n || owed === 0n, `${available} beside ${owed}`).toBe(true)
  }
  expect([(await verifyLedger(db)).problems, await listUnpaidDebts(db, 10)]).toEqual([[], []])
})
