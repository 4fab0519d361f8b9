import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { buildOpenApi } from '#platform/server/http/openapi.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import type { Card } from '../cards/data.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { cardMails } from '../mails.ts'
import { flagged, rechargeLimits } from '../settings.ts'
import { createBookIssuer } from '../testing/book-issuer.ts'
import { aFundedCard, deliverNotices } from '../testing/funded-card.ts'

// Card calls that accept the body of an order: they create the same order as payOrder and require nothing else from the client.
const db = await useTestDb({ max: 10 })
const off = new Set<string>()
const flags = { name: 'flags', isOn: async (_: unknown, flag: string) => !off.has(flag) }
const { call, deps, settle } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk, flags], db })
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const WAY = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }

beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
let user: BuiltUser
let card: Card
beforeEach(async () => {
  off.clear()
  const made = await aFundedCard(deps, db, { issuer, options: { dollars: 10 } })
  user = made.user
  card = made.card
})
const post = (path: string, body: object, { key = createId('key'), token = user.token }: { readonly key?: string | null; readonly token?: string } = {}) =>
  call('POST', path, body, { token, ...(key === null ? {} : { idempotencyKey: key }) })
const orders = async () =>
  db.query<{ orderType: number; wishes: object }>(`select order_type, wishes from payments_orders where user_id = $1 and channel_type = 25`, [user.userId])
/** Strips the fields that differ between two orders of the same item: numbers and times. */
const figures = ({ orderNo: _, createdTime: __, expireTime: ___, secondsLeft: ____, ...rest }: Record<string, unknown>) => rest

const stopped = (card: Card) => db.owner.query(`update cards_cards set state = 'frozen', frozen_by = 'risk' where id = $1`, [card.id])
const inDebt = async (card: Card) => {
  issuer.post(card.cardRef!, 'capture', 1500n)
  await deliverNotices(deps, issuer)
}
/** For each order type: the setup that makes it purchasable, and its error before. */
const CASES = [
  ['cardUnfreeze', 12, stopped, 3602],
  ['cardOutstanding', 13, inDebt, 3608],
  ['cardChange', 14, stopped, 3602],
] as const

test('the API reference names every code for which payOrder refuses an order of a card', () => {
  const { paths } = buildOpenApi([payments, cards], { title: '', version: '' })
  const named = paths['/api/go/v1/payOrder']!['post']!['x-errors']
  expect(named).toEqual(
    expect.arrayContaining(['CARD_NOT_READY', 'CARD_NOTHING_OWED', 'CARD_RECHARGE_LIMIT', 'CARD_OPENING_PAUSED', 'IDENTITY_IN_REVIEW', 'AMOUNT_TOO_SMALL']),
  )
})

test('a recharge over a channel is the order that payOrder makes, once for each key, and asks for no payment password', async () => {
  const body = { cardId: card.id, amount: '20', ...WAY, service: 'chatgpt' }
  const key = createId('key')
  const [made, again] = [await post('/v1/virtualCard/cardRecharge', body, { key }), await post('/v1/virtualCard/cardRecharge', body, { key })]
  expect(made).toMatchObject({ code: 200, data: { orderType: 0, amount: '20', payStatus: 0, channelType: 25 } })
  expect(again.data).toEqual(made.data)
  expect(await orders()).toEqual([{ orderType: 0, wishes: { cardId: card.id, service: 'chatgpt' } }])
  const plain = await post('/api/go/v1/payOrder', { orderType: 0, ...body })
  expect(figures(made.data)).toEqual(figures(plain.data))
  const status = await post('/api/go/v1/payStatus', { order_id: made.data.orderNo })
  expect(status.data).toMatchObject({ orderNo: made.data.orderNo, payStatus: 0 })
})

test('a recharge is refused in the words of the card, from the balance without the password, and of the card of another', async () => {
  const recharge = (more: object, token?: string) =>
    post('/v1/virtualCard/cardRecharge', { cardId: card.id, amount: '20', ...WAY, ...more }, { key: createId('key'), token })
  expect((await recharge({ amount: '1' })).code).toBe(3627)
  expect((await recharge({ amount: '100000' })).code).toBe(2213)
  expect(await recharge({ channelType: 5 })).toMatchObject({ status: 400, data: { fields: ['payPassword'] } })
  expect((await recharge({}, (await aUser(deps)).token)).code).toBe(3601)
  expect(await orders()).toEqual([])
})

test.each(CASES)('%s without a channel tells the price and needs no key; with one it makes the order of type %i', async (name, orderType, bring, refused) => {
  const path = `/v1/virtualCard/${name}`
  const body = { cardId: card.id, ...WAY }
  expect([(await post(path, { cardId: card.id }, { key: null })).code, (await post(path, body)).code]).toEqual([refused, refused])
  await bring(card)
  const told = await post(path, { cardId: card.id }, { key: null })
  expect(told.data).toEqual({ orderType, amount: expect.any(String) })
  expect((await post(path, body, { key: null })).code).toBe(4001)
  const stranger = await aUser(deps)
  for (const asked of [{ cardId: card.id }, body]) expect((await post(path, asked, { key: createId('key'), token: stranger.token })).code).toBe(3601)
  expect(await orders()).toEqual([])
  const key = createId('key')
  const [made, again] = [await post(path, body, { key }), await post(path, body, { key })]
  expect(made).toMatchObject({ code: 200, data: { orderType, payStatus: 0, channelType: 25 } })
  expect([Number(made.data.amount), again.data]).toEqual([Number(told.data.amount), made.data])
  expect(await orders()).toEqual([{ orderType, wishes: { cardId: card.id } }])
  expect(figures(made.data)).toEqual(figures((await post('/api/go/v1/payOrder', { orderType, ...body })).data))
})

test('switched off, recharges make no order by any call, and a price is still returned', async () => {
  await stopped(card)
  off.add('recharge')
  const roads = ['/api/go/v1/payOrder', '/v1/virtualCard/cardRecharge', '/v1/virtualCard/cardUnfreeze', '/v1/virtualCard/cardChange']
  for (const path of roads) expect([path, (await post(path, { cardId: card.id, orderType: 12, amount: '20', ...WAY })).code]).toEqual([path, 4031])
  expect((await post('/v1/virtualCard/cardUnfreeze', { cardId: card.id }, { key: null })).code).toBe(200)
  expect(await orders()).toEqual([])
})

test('a flagged account recharges at most 100 at once, whether identified or not', async () => {
  const most = async () => (await call('GET', '/card/rechargeBounds', { id: card.id }, { token: user.token })).data.max
  expect(await most()).toBe('60')
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, flagged, { max: '100', users: [user.userId] }))
  expect(await most()).toBe('100')
  await aReadyHolder(deps, user.userId)
  expect(await most()).toBe('100')
  expect(await post('/v1/virtualCard/cardRecharge', { cardId: card.id, amount: '100.01', ...WAY })).toMatchObject({ code: 2213, data: { max: '100' } })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, flagged, { max: '100', users: [] }))
  expect(await most()).toBe('200')
})

test('bounds of a card recharge have one setting: the quote and the card name the same', async () => {
  const rules = rechargeLimits.fallback
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, rechargeLimits, { ...rules, min: '7', maxIdentified: '150', presets: ['8', '9', '11'] }))
  const { data } = await call('GET', '/v1/pay/quote', { orderType: 0, channelType: 25 }, { token: user.token })
  expect(data).toMatchObject({ min: '7', max: '150', presets: ['8', '9', '11'] })
  expect((await call('GET', '/card/rechargeBounds', { id: card.id }, { token: user.token })).data).toMatchObject({ min: '7', presets: ['8', '9', '11'] })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, rechargeLimits, rules))
})

test('the mail of a recharge names the movement as the funds page does', async () => {
  const told = cardMails.find(({ event }) => event === 'card.recharged')!
  await told.handle(deps, { eventId: createId('event'), userId: user.userId, cardId: card.id, amount: '20', fee: '0' })
  await settle()
  expect((await listSandboxMails(db, user.email))[0]!.text).toContain(`资金：转到标准卡 ${card.last4}（余额 → 标准卡 ${card.last4}）`)
})
