import { beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { FOREIGN_MERCHANT, createBookIssuer } from '../testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork } from '../testing/funded-card.ts'
import type { FundedCard } from '../testing/funded-card.ts'
import { listCardsForTask } from './check.ts'
import { selectTaskHold } from './data.ts'
import { armTask, chargeTask, disarmTask, releaseTask, holdForTask } from './task-hold.ts'

// G6: a sum is kept on a card for a task; the task's merchant alone spends it, once, and what is left goes back.
const db = await useTestDb({ max: 12 })
const { deps } = createTestApp({ features: [cards, account, notices, risk], db })
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const ask = createDecisionCaller(deps, issuer)
const SHOP = { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' }
const OTHER = { ...SHOP, name: 'MIDJOURNEY INC.' }

let made: FundedCard
let ref: string
let task: string
beforeEach(async () => {
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 25 } })
  ref = made.card.cardRef!
  task = createId('task')
})
const act = <T>(work: (tx: Tx) => Promise<T>) =>
  transact(db, SYSTEM, async (tx) => {
    await tx.audit('test.acted', `card:${made.card.id}`)
    return work(tx)
  })
const holdSum = (dollars = '20', id = task) =>
  act((tx) => holdForTask(tx, { id, cardId: made.card.id, name: 'ChatGPT Plus', amount: parseUsd(dollars), merchants: ['OPENAI'] }))
const arm = (id = task) => act((tx) => armTask(tx, id, new Date()))
const free = (id = task) => act((tx) => releaseTask(tx, id, new Date()))
const money = () => readCardMoney(db, made.card.id)
const pay = (minor: bigint, merchant = SHOP) => issuer.authorize(ref, minor, { decide: ask, merchant })
const left = async () => {
  const { leftNano, used } = (await selectTaskHold(db, task))!
  return [Number(leftNano / 10_000_000n), Number(used / 10_000_000n)]
}
const go = async () => {
  await deliverNotices(deps, issuer)
  await advanceWaitingWork(deps, db, issuer)
  expect(await auditBooks(db, issuer)).toEqual([])
}

test('money kept for a task is spent by its merchant alone, once armed; the rest goes back at the end, once', async () => {
  expect(await holdSum()).toBe(true)
  expect(await money()).toMatchObject({ available: 500, held: 2000 })
  expect((await pay(2000n, OTHER)).reason).toBe('insufficient_funds')
  // the member’s own renewal, while the task is not armed
  expect((await pay(2000n)).reason).toBe('insufficient_funds')
  await arm()
  const auth = await pay(1500n)
  expect(auth.approved).toBe(true)
  expect([await money(), await left()]).toEqual([{ posted: 2500, available: 500, held: 2000, owed: 0 }, [500, 1500]])
  issuer.capture(auth, 1500n)
  await free()
  await free()
  await go()
  expect(await money()).toEqual({ posted: 1000, available: 1000, held: 0, owed: 0 })
  expect(await left()).toEqual([0, 1500])
})

test('a charge above the kept money is covered by free money, or refused whole', async () => {
  await holdSum()
  await arm()
  expect((await pay(2600n)).reason).toBe('insufficient_funds')
  expect(await left()).toEqual([2000, 0])
  expect((await pay(2400n)).approved).toBe(true)
  expect([await money(), await left()]).toEqual([{ posted: 2500, available: 100, held: 2400, owed: 0 }, [0, 2000]])
  await free()
  await go()
})

test('kept money that the merchant releases is kept and spent again; after the end it is free', async () => {
  await holdSum()
  await arm()
  const first = await pay(2000n)
  issuer.reverse(first)
  await deliverNotices(deps, issuer)
  expect(await left()).toEqual([2000, 0])
  const again = await pay(2000n)
  expect(again.approved).toBe(true)
  await free()
  issuer.expire(again)
  await go()
  // one reversal’s fee
  expect(await money()).toEqual({ posted: 2400, available: 2400, held: 0, owed: 0 })
  expect(await left()).toEqual([0, 2000])
})

test('a capture above its authorisation, or without one, takes what is kept before it makes a debt', async () => {
  await holdSum('22')
  await arm()
  issuer.capture(await pay(2000n), 2160n)
  await deliverNotices(deps, issuer)
  expect([await money(), await left()]).toEqual([{ posted: 340, available: 300, held: 40, owed: 0 }, [40, 2160]])
  issuer.post(ref, 'capture', 30n, SHOP)
  await deliverNotices(deps, issuer)
  expect([await money(), await left()]).toEqual([{ posted: 310, available: 300, held: 10, owed: 0 }, [10, 2190]])
  await free()
  await go()
  expect(await money()).toEqual({ posted: 310, available: 310, held: 0, owed: 0 })
})

test('kept money pays the fee abroad too, and a charge approved without us', async () => {
  const abroad = { ...FOREIGN_MERCHANT, name: 'OPENAI IRELAND' }
  await holdSum('20.20')
  await arm()
  expect((await pay(2000n, abroad)).approved).toBe(true)
  expect(await left()).toEqual([0, 2020])
  await free()
  await holdSum('4', 'task_two')
  await arm('task_two')
  await issuer.authorize(ref, 400n, { without: true, merchant: SHOP })
  await deliverNotices(deps, issuer)
  expect(await money()).toMatchObject({ held: 2420, owed: 0 })
  await free('task_two')
  await go()
})

test('a delivered task is charged once, however often it is asked for, and the rest is free', async () => {
  await holdSum()
  const charge = (dollars: string) => act((tx) => chargeTask(deps, tx, { id: task, amount: parseUsd(dollars), at: new Date() }))
  expect((await Promise.all([charge('18'), charge('18'), free()])).length).toBe(3)
  const { outcome } = (await selectTaskHold(db, task))!
  expect(await money()).toEqual(outcome === 'charged' ? { posted: 700, available: 700, held: 0, owed: 0 } : { posted: 2500, available: 2500, held: 0, owed: 0 })
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('a charge for a supplier counts as spent by the card, in its month and in all', async () => {
  await holdSum()
  expect((await listCardsForTask(deps, db, { userId: made.user.userId, cost: { service: 'cursor', total: parseUsd('81') } }))[0]!.problem).toBe('month')
  await act((tx) => chargeTask(deps, tx, { id: task, amount: parseUsd('18'), at: new Date() }))
  const [{ spent, total }] = (await db.query<{ spent: bigint; total: bigint }>(
    'select m.spent, c.total_spent as total from cards_cards c join cards_months m on m.card_id = c.id where c.id = $1',
    [made.card.id],
  )) as [{ spent: bigint; total: bigint }]
  expect([spent, total]).toEqual([parseUsd('18'), parseUsd('18')])
  const problem = async (total: string) =>
    (await listCardsForTask(deps, db, { userId: made.user.userId, cost: { service: 'cursor', total: parseUsd(total) } }))[0]!.problem
  expect([await problem('83'), await problem('82')]).toEqual(['month', 'short'])
})

test('too little money or a disarmed task spends nothing, and the database keeps its figures', async () => {
  expect(await holdSum('25.01')).toBe(false)
  expect(await money()).toMatchObject({ held: 0 })
  await holdSum()
  await arm()
  await act((tx) => disarmTask(tx, task))
  expect((await pay(2000n)).approved).toBe(false)
  await expect(db.query('update cards_task_holds set left_nano = 30000000000 where id = $1', [task])).rejects.toThrow(/check/)
  await expect(db.query(`update cards_task_holds set amount = 1 where id = $1`, [task])).rejects.toThrow(/frozen/)
  await free()
  await expect(db.query(`update cards_task_holds set closed_at = null, outcome = null where id = $1`, [task])).rejects.toThrow(/ended/)
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('twenty charges at once spend no more than what is kept and free, to the cent', async () => {
  await holdSum()
  await arm()
  const answers = await Promise.all(Array.from({ length: 20 }, () => pay(400n)))
  expect(answers.filter(({ approved }) => approved).length).toBe(6)
  expect(await money()).toMatchObject({ held: 2400, available: 100 })
  await free()
  await go()
})

test('the cards to choose from are listed, each with its obstacle', async () => {
  const pro = await aFundedCard(deps, db, { issuer, options: { user: made.user, type: 'pro', dollars: 30 } })
  const cost = { service: 'chatgpt', total: parseUsd('30') }
  const found = await listCardsForTask(deps, db, { userId: made.user.userId, cost })
  expect(found.map(({ id, problem, missing }) => [id, problem, missing])).toEqual(
    expect.arrayContaining([
      [made.card.id, 'short', parseUsd('5')],
      [pro.card.id, 'card_type', 0n],
    ]),
  )
  const [other] = await listCardsForTask(deps, db, { userId: made.user.userId, cost: { service: 'cursor', total: parseUsd('101') } })
  expect(other!.problem).toBe('month')
})
