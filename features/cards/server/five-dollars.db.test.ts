import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, postTransaction as book, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { createBookIssuer } from './testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, settleCard } from './testing/funded-card.ts'

// V5: an attacker with little money and a merchant account. Granted credit never becomes money, and debt is paid first.
const db = await useTestDb({ max: 10 })
const { call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, clock: createRunningClock() })
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const ask = createDecisionCaller(deps, issuer)
const PIN = '271828'

beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
let user: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
})
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const pay = (orderType: number, more: object = {}) => post('/v1/pay/balancePay', { orderType, payPassword: PIN, ...more })
const usd = (dollars: number) => BigInt(Math.round(dollars * 100)) * (NANO_PER_USD / 100n)
const has = async () => {
  const { posted, withdrawable } = await readBalance(db, user.userId)
  return { posted: Number(posted) / 1e9, withdrawable: Number(withdrawable) / 1e9 }
}
const money = (purchased: number, granted: number) => aFundedUser(db, { userId: user.userId, purchased: usd(purchased), granted: usd(granted) })
const newest = async () =>
  (await db.query<{ id: string }>('select id from cards_cards where user_id = $1 order by created_at desc limit 1', [user.userId]))[0]!.id
/** Posts a forced capture of the attacker's own shop. */
const take = async (ref: string, dollars: number) => {
  issuer.post(ref, 'capture', BigInt(Math.round(dollars * 100)))
  await deliverNotices(deps, issuer)
}
const expectSoundBooks = async () => expect(await auditBooks(db, issuer)).toEqual([])

test('a gift settles no debt of a card: it would leave by the shop that the debt was made at', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
  await take(card.cardRef!, 10)
  await money(0, 50)
  expect(await pay(13, { cardId: card.id })).toMatchObject({ code: 3113, data: { missing: '10' } })
  const rows = (await call('GET', '/v1/pay/channelList', { orderType: 13, orderAmount: '10' }, { token: user.token })).data
  expect(rows.find((row: { channelType: number }) => row.channelType === 5)).toMatchObject({ disabled: true, balance: '0', missing: '10' })
  expect([await readCardMoney(db, card.id), await has()]).toMatchObject([{ owed: 1000 }, { posted: 50, withdrawable: 0 }])
  // purchased credit pays the debt automatically
  await money(10, 0)
  expect((await pay(13, { cardId: card.id })).code).toBe(3608)
  expect([await readCardMoney(db, card.id), await has()]).toMatchObject([{ owed: 0 }, { posted: 50, withdrawable: 0 }])
  await expectSoundBooks()
})

test('a debt that is paid twice gives back what was paid, and makes no gift withdrawable', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
  await take(card.cardRef!, 10)
  const drafts = []
  for (let n = 0; n < 2; n++)
    drafts.push((await post('/api/go/v1/payOrder', { orderType: 13, channelType: 5, transactionType: 0, tradeFrom: 'QRCODE', cardId: card.id })).data.orderNo)
  await money(30, 50)
  expect([await readCardMoney(db, card.id), await has()]).toMatchObject([{ owed: 0 }, { posted: 70, withdrawable: 20 }])
  for (const orderNo of drafts) expect((await post('/v1/pay/balancePay', { orderNo, payPassword: PIN })).code).toBe(200)
  expect([await readCardMoney(db, card.id), await has()]).toMatchObject([{ owed: 0 }, { posted: 70, withdrawable: 20 }])
  await expectSoundBooks()
})

test('a deposit is paid with money, since it comes back as money', async () => {
  await aReadyHolder(deps, user.userId, { method: 'deposit' })
  await money(2, 13)
  expect(await pay(1, { service: 'standard' })).toMatchObject({ code: 3113, data: { missing: '1' } })
  await money(1, 0)
  expect((await pay(1, { service: 'standard' })).code).toBe(200)
  const card = await settleCard(deps, db, await newest())
  expect(await has()).toEqual({ posted: 1.01, withdrawable: 0 })
  await post('/card/close', { id: card.id, reason: 'user', payPassword: PIN })
  await settleCard(deps, db, card.id)
  expect(await has()).toEqual({ posted: 4.01, withdrawable: 3 })
  await expectSoundBooks()
})

test('a deposit pays what its cards owe before any of it comes back', async () => {
  await aReadyHolder(deps, user.userId, { method: 'deposit' })
  await money(20, 0)
  await pay(1, { service: 'standard' })
  const card = await settleCard(deps, db, await newest())
  await take(card.cardRef!, 2)
  await post('/card/close', { id: card.id, reason: 'user', payPassword: PIN })
  await settleCard(deps, db, card.id)
  expect([await readCardMoney(db, card.id), await has()]).toMatchObject([{ owed: 0 }, { withdrawable: 6.01 }])
  await expectSoundBooks()
})

test('a user who owes on one card gets no further one, no new number and no money off another until it is paid', async () => {
  const owing = await aFundedCard(deps, db, { issuer, options: { user } })
  const rich = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  await money(0, 60)
  await take(owing.card.cardRef!, 40)
  const { id } = rich.card
  expect(await issuer.authorize(rich.card.cardRef!, 500n, { decide: ask })).toMatchObject({ approved: false, reason: 'account_in_debt' })
  expect((await pay(2, { service: 'standard' })).code).toBe(3624)
  for (const card of [owing.card, rich.card]) expect((await post('/card/changeCard', { id: card.id })).code).toBe(3624)
  expect((await pay(15, { cardId: owing.card.id })).code).toBe(3624)
  expect((await post('/v1/virtualCard/cardWithdrawal', { cardId: id, amount: '5', payPassword: PIN })).code).toBe(3624)
  await money(40, 0)
  expect((await issuer.authorize(rich.card.cardRef!, 500n, { decide: ask })).approved).toBe(true)
  expect((await post('/v1/virtualCard/cardWithdrawal', { cardId: id, amount: '5', payPassword: PIN })).code).toBe(200)
  expect((await post('/card/changeCard', { id })).code).toBe(200)
})

test('zero checks by the attacker’s own shop neither end the row of refusals nor thin their share', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 5, user } })
  const refused = () => issuer.authorize(card.cardRef!, 90_000n, { decide: ask })
  const look = () => issuer.authorize(card.cardRef!, 0n, { decide: ask })
  const row = async () => (await db.query<{ refusals: number; state: string }>('select refusals, state from cards_cards where id = $1', [card.id]))[0]!
  for (let n = 0; n < 3; n++) await refused()
  for (let n = 0; n < 30; n++) expect((await look()).approved).toBe(true)
  expect(await row()).toEqual({ refusals: 3, state: 'active' })
  for (let n = 0; n < 6; n++) await refused()
  expect(await row()).toEqual({ refusals: 9, state: 'active' })
  await look()
  await refused()
  expect((await row()).state).toBe('closing')
})

test('a payment is disputed after it went on a card: the card buys nothing while its account owes for it', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  const buy = () => issuer.authorize(card.cardRef!, 1000n, { decide: ask })
  expect((await buy()).approved).toBe(true)
  await transact(db, SYSTEM, async (tx) => {
    await book(tx, { kind: 'dispute', ref: createId('dsp'), legs: [{ from: userAccount(user.userId), to: systemAccount('wash'), amount: usd(50), owe: true }] })
    await tx.audit('test.disputed', `user:${user.userId}`)
  })
  expect(await buy()).toMatchObject({ approved: false, reason: 'account_in_debt' })
  // money off the card pays the account's debt first
  expect((await post('/v1/virtualCard/cardWithdrawal', { cardId: card.id, amount: '30', payPassword: PIN })).code).toBe(200)
  await settleCard(deps, db, card.id)
  expect([(await readBalance(db, user.userId)).receivable, await has()]).toEqual([-usd(20), { posted: 0, withdrawable: 0 }])
  await money(20, 0)
  expect((await buy()).approved).toBe(true)
})
