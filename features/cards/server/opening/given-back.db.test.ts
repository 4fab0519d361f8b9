import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { createJoinedDb, SYSTEM, transact } from '#platform/server/database/transact.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readPostedBalance, userAccount } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { selectCardById } from '../cards/data.ts'
import { workCard } from '../lifecycle/work-cards.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { createBookIssuer } from '../testing/book-issuer.ts'
import { aFundedCard, auditBooks, settleCard } from '../testing/funded-card.ts'
import { IssuerRefusal } from '../vendors/port.ts'

// A fully refunded order: its item ends, whether delivered or still in progress.
const db = await useTestDb({ max: 20 })
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, clock })
const issuer = createBookIssuer()
issuer.now = () => clock.now()
replaceIssuers(deps, [issuer])
const PIN = '271828'

beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
let user: BuiltUser
const aBuyer = async (method: 'face' | 'deposit') => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  await aReadyHolder(deps, user.userId, { method })
}
beforeEach(async () => {
  issuer.faults.createCard = []
  await aBuyer('deposit')
})
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const order = async (orderType: number, more: object = {}) => {
  const { code, data } = await post('/v1/pay/balancePay', { orderType, payPassword: PIN, ...more })
  expect(code).toBe(200)
  return data.orderNo as string
}
const refundCommand = payments.commands!.find(({ name }) => name === 'order.refund')!
const giveBack = async (orderNo: string) =>
  transact(db, SYSTEM, async (tx) => {
    const act = { deps: { ...deps, db: createJoinedDb(tx) }, tx, by: SYSTEM, reason: 'test', gathered: undefined }
    return refundCommand.run(act as never, { orderNo, withFee: false } as never)
  })
const dollars = async () => Number((await readBalance(db, user.userId)).posted / (NANO_PER_USD / 100n)) / 100
const newest = async () =>
  (await db.query<{ id: string }>('select id from cards_cards where user_id = $1 order by created_at desc limit 1', [user.userId]))[0]!.id
/** Remaining years of membership. */
const years = async () => {
  const [row] = await db.query<{ until: Date }>('select until from cards_members where user_id = $1', [user.userId])
  return Math.round((row!.until.getTime() - clock.now().getTime()) / 31_556_952_000) || 0
}
const ended = async (id: string) => {
  const { state, cardRef } = await settleCard(deps, db, id)
  return [state, cardRef === null ? 'closed' : issuer.cards.get(cardRef)!.state, await dollars(), await years()]
}
const GONE = ['closed', 'closed', 100, 0]

/** Saves holder data that differs from the refused data. */
const correct = () => db.query('update identity_people set saved_at = $2 where user_id = $1', [user.userId, new Date(clock.now().getTime() + 1)])
const readBalances = async () => [await dollars(), await years(), await readPostedBalance(db, userAccount(user.userId, 'deposit'))]

test('C12: a card that the issuer refuses ends its order: all the money is back, with deposit and years, and the data may be corrected', async () => {
  issuer.faults.createCard = ['refused']
  const orderNo = await order(1, { service: 'standard' })
  const card = await settleCard(deps, db, await newest())
  expect([card.state, card.failReason, ...(await readBalances())]).toEqual(['failed', 'name', 100, 0, 0n])
  expect((await db.query('select state from payments_orders where order_no = $1', [orderNo]))[0]).toEqual({ state: 'refunded' })
  const shown = (await post('/card/info', { id: card.id })).data
  expect([shown.failReason, shown.failure]).toEqual(['name', { moneyBack: { amount: '14.99', goesTo: 'balance', isDone: true }, next: 'correct' }])
  await expect(giveBack(orderNo)).rejects.toThrow('ORDER_NOT_REFUNDABLE')
  expect((await post('/card/reOpenCard', { id: card.id })).code).toBe(3605)
  // The same data would be refused again, so nothing is charged.
  expect(await post('/card/create', { type: 'standard' })).toMatchObject({ code: 3625, data: { reason: 'name' } })
  await correct()
  expect((await post('/card/create', { type: 'standard' })).data).toEqual({ orderType: 1, amount: '14.99', service: 'standard' })
  await order(1, { service: 'standard' })
  expect([(await settleCard(deps, db, await newest())).state, ...(await readBalances())]).toEqual(['active', 85.01, 2, 3n * NANO_PER_USD])
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('C12: a call that the issuer refuses outright ends the order at once, and is not repeated', async () => {
  let calls = 0
  const refuse = async () => {
    calls++
    throw new IssuerRefusal('bad_call', 'address')
  }
  replaceIssuers(deps, [{ ...issuer, createHolder: refuse }])
  await order(1, { service: 'standard' })
  const card = await settleCard(deps, db, await newest())
  replaceIssuers(deps, [issuer])
  expect([card.state, card.failReason, calls, ...(await readBalances())]).toEqual(['failed', 'address', 1, 100, 0, 0n])
})

test('a refused holder is offered another issuer that takes them, and the next order goes there', async () => {
  const other = Object.assign(createBookIssuer(), { name: 'other', now: () => clock.now() })
  replaceIssuers(deps, [issuer, other as never])
  issuer.faults.createCard = ['refused']
  await order(1, { service: 'standard' })
  const { id } = await settleCard(deps, db, await newest())
  expect((await post('/card/info', { id })).data.failure.next).toBe('again')
  await order(1, { service: 'standard' })
  expect(await settleCard(deps, db, await newest())).toMatchObject({ state: 'active', issuer: 'other' })
  replaceIssuers(deps, [issuer])
})

test('a holder whom every issuer is certain to refuse reads so before paying', async () => {
  replaceIssuers(deps, [Object.assign({ ...issuer }, { refuses: () => 'country' as const })])
  expect(await post('/card/create', { type: 'standard' })).toMatchObject({ code: 3625, data: { reason: 'country' } })
  expect((await post('/v1/pay/balancePay', { orderType: 1, service: 'standard', payPassword: PIN })).code).toBe(3625)
  expect((await call('GET', '/card/opening', {}, { token: user.token })).data).toMatchObject({ refused: 'country' })
  expect(await dollars()).toBe(100)
  replaceIssuers(deps, [issuer])
})

test.each(['requested', 'opening', 'active'] as const)('a card given back while %s ends, once', async (state) => {
  const orderNo = await order(1, { service: 'standard' })
  const id = await newest()
  if (state === 'opening') issuer.faults.createCard = ['lost']
  if (state !== 'requested') await workCard(deps, id)
  expect((await selectCardById(db, id))!.state).toBe(state)
  await giveBack(orderNo)
  expect(await ended(id)).toEqual(GONE)
  // An ended membership is not renewed; a new order brings its own years.
  expect((await post('/v1/pay/balancePay', { orderType: 7, payPassword: PIN })).code).toBe(2302)
  await order(1, { service: 'standard' })
  expect(await years()).toBe(2)
})

test('a refund at the moment in which the card is asked for ends it anyway', async () => {
  for (let round = 0; round < chooseRounds(6, 100); round++) {
    await aBuyer(round % 3 ? 'face' : 'deposit')
    issuer.faults.createCard = round % 2 ? ['refused'] : []
    const orderNo = await order(1, { service: 'standard' })
    const id = await newest()
    // After the refusal the money is refunded automatically, and the operator finds nothing left to refund.
    const given = giveBack(orderNo).catch((error: unknown) => expect((error as { errorName?: string }).errorName).toBe('ORDER_NOT_REFUNDABLE'))
    await Promise.all([given, workCard(deps, id), workCard(deps, id)])
    const [state, , ...rest] = await ended(id)
    expect([['closed', 'failed'].includes(state as string), ...rest]).toEqual([true, 100, 0])
  }
  expect(await auditBooks(db, issuer)).toEqual([])
})

/** A free replacement that the issuer refused: an opening that failed without an order is requested again. */
async function aFailedReplacement() {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
  issuer.faults.createCard = ['refused']
  expect((await post('/card/changeCard', { id: card.id })).code).toBe(200)
  const failed = await settleCard(deps, db, await newest())
  expect([failed.state, (await selectCardById(db, card.id))!.state]).toEqual(['failed', 'active'])
  expect((await post('/card/info', { id: failed.id })).data.failure).toEqual({ moneyBack: null, next: 'reopen' })
  return failed.id
}

test('a replacement asked for again while a worker still has it as failed is asked for, and stays due', async () => {
  const id = await aFailedReplacement()
  const seenLate = {
    ...db,
    query: async (text: string, values?: readonly unknown[]) => {
      const rows = await db.query(text, values)
      if (/^select/.test(text) && rows[0]?.state === 'failed') expect((await post('/card/reOpenCard', { id })).code).toBe(200)
      return rows
    },
  } as typeof db
  await workCard({ ...deps, db: seenLate }, id)
  const due = () => db.query('select from cards_cards where id = $1 and next_check_at is not null', [id])
  expect([(await selectCardById(db, id))!.state, (await due()).length]).toEqual(['requested', 1])
  expect([(await settleCard(deps, db, id)).state, (await due()).length]).toEqual(['active', 0])
})

test('the issuer is asked for nothing while it is not known whether the money goes back', async () => {
  const orderNo = await order(1, { service: 'standard' })
  const id = await newest()
  const set = (state: string) => db.owner.query('update payments_orders set state = $2 where order_no = $1', [orderNo, state])
  await set('refunding')
  expect((await settleCard(deps, db, id)).state).toBe('requested')
  await set('paid')
  expect((await settleCard(deps, db, id)).state).toBe('active')
})

test('a replacement that is not made yet ends with its order, and the old card stays; a membership is taken back once', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
  const before = [await dollars(), await years()]
  const orderNo = await order(15, { cardId: card.id })
  const next = await newest()
  await giveBack(orderNo)
  expect([(await settleCard(deps, db, next)).state, (await selectCardById(db, card.id))!.state]).toEqual(['closed', 'active'])
  const renewal = await order(7)
  await giveBack(renewal)
  expect([await dollars(), await years()]).toEqual(before)
})

describe('the operators’ commands for an opening that is paid and has not ended', () => {
  const run = (name: 'retry' | 'end', orderNo: string) => runOperatorCommand(deps, cards.commands!, { name: `card.${name}-opening`, sent: { orderNo } })
  const stuckOrder = async (fault: 'dead' | 'lost') => {
    issuer.faults.createCard = [fault]
    const orderNo = await order(1, { service: 'standard' })
    const id = await newest()
    await workCard(deps, id)
    expect((await selectCardById(db, id))!.state).toBe('opening')
    return { orderNo, id }
  }

  test('retry uses a key of its own, once the issuer has said that there is no card', async () => {
    const { orderNo, id } = await stuckOrder('dead')
    const { before, did, after } = await run('retry', orderNo)
    expect([before['attempt'], did, after['attempt'], after['state']]).toEqual([1, { issuer: 'no card', attempt: 2 }, 2, 'opening'])
    expect([(await settleCard(deps, db, id)).state, await dollars()]).toEqual(['active', 85.01])
    await expect(run('retry', orderNo)).rejects.toThrow('CARD_BUSY')
  })

  test('end gives all of the money back, once', async () => {
    const { orderNo, id } = await stuckOrder('dead')
    const { after } = await run('end', orderNo)
    expect([after['state'], after['reason'], after['moneyBack'], ...(await readBalances())]).toEqual([
      'failed',
      'withdrawn',
      '14.99 to the balance',
      100,
      0,
      0n,
    ])
    await expect(run('end', orderNo)).rejects.toThrow('CARD_BUSY')
    expect((await settleCard(deps, db, id)).state).toBe('failed')
    expect(await auditBooks(db, issuer)).toEqual([])
  })

  test('retry makes no new attempt and end is refused while the issuer has the card; without its answer both are refused', async () => {
    const { orderNo, id } = await stuckOrder('lost')
    await expect(run('end', orderNo)).rejects.toThrow('CARD_BUSY')
    expect((await run('retry', orderNo)).did).toEqual({ issuer: 'a card', attempt: 1 })
    const silent = { ...issuer, cardByKey: async () => Promise.reject(new Error('socket hang up')) }
    replaceIssuers(deps, [silent])
    for (const name of ['retry', 'end'] as const) await expect(run(name, orderNo)).rejects.toThrow('CARD_ISSUER_AWAY')
    replaceIssuers(deps, [issuer])
    expect((await settleCard(deps, db, id)).state).toBe('active')
  })
})
