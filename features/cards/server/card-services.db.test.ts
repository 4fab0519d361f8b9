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
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { cardTexts } from '../texts.ts'
import { selectCardById } from './cards/data.ts'
import { workCard } from './lifecycle/work-cards.ts'
import { workDisputes } from './disputes/converge-dispute.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { angels } from './settings.ts'
import { createBookIssuer, HOME_MERCHANT } from './testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork, settleCard } from './testing/funded-card.ts'

// Effects of orders, rules and the issuer on an existing card.
const db = await useTestDb({ max: 10 })
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, clock })
const issuer = createBookIssuer()
issuer.now = () => clock.now()
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
  await aFundedUser(db, { userId: user.userId })
  await aReadyHolder(deps, user.userId)
})
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const get = (path: string, query: object = {}) => call('GET', path, query, { token: user.token })
const order = (orderType: number, more: object = {}) => post('/v1/pay/balancePay', { orderType, payPassword: PIN, ...more })
const dollars = async () => Number((await readBalance(db, user.userId)).posted / (NANO_PER_USD / 100n)) / 100
const newest = async () =>
  (await db.query<{ id: string }>('select id from cards_cards where user_id = $1 order by created_at desc limit 1', [user.userId]))[0]!.id
const processNotices = async () => {
  await deliverNotices(deps, issuer)
  await advanceWaitingWork(deps, db, issuer)
}
const expectSoundBooks = async () => expect(await auditBooks(db, issuer)).toEqual([])

test('a first card may be a Pro one: four years, its own price, its own merchants', async () => {
  expect((await get('/card/opening', { type: 'pro' })).data).toMatchObject({ orderType: 1, price: '19.99' })
  expect((await order(1, { service: 'pro' })).code).toBe(200)
  const card = await settleCard(deps, db, await newest())
  expect(card).toMatchObject({ state: 'active', type: 'pro', months: 48 })
  expect(await dollars()).toBe(80.01)
  const rich = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user, type: 'pro' } })
  const at = (name: string) => issuer.authorize(rich.card.cardRef!, 1000n, { decide: ask, merchant: { ...HOME_MERCHANT, name } })
  expect((await at('NETFLIX.COM')).approved).toBe(true)
  expect((await at('OPENAI *CHATGPT SUBSCR')).reason).toBe('card_type')
  await processNotices()
  await expectSoundBooks()
})

test('a membership is made longer by an order of type 7', async () => {
  await aFundedCard(deps, db, { issuer, options: { user } })
  const until = async () => Date.parse((await get('/card/opening')).data.member.until)
  const before = await until()
  expect((await order(7)).code).toBe(200)
  expect(Math.round((await until()) - before) / 86_400_000).toBeCloseTo(730, -1)
  expect(await dollars()).toBe(88.01)
})

test('C7: a card that the issuer stopped is changed by an order of type 14, and its money follows', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  await issuer.setCardState(card.cardRef!, 'closed')
  issuer.tell('card', card.cardRef!, card.cardRef!)
  await processNotices()
  expect(await selectCardById(db, card.id)).toMatchObject({ state: 'frozen', frozenBy: 'issuer', mustChange: true })
  expect((await post('/v1/virtualCard/cardRecharge', { cardId: card.id, amount: '5', channelType: 5, payPassword: PIN })).code).toBe(2141)
  expect((await post('/v1/virtualCard/cardChange', { cardId: card.id })).data).toEqual({ orderType: 14, amount: '9.90' })
  // the free call for working cards is refused
  expect((await post('/card/changeCard', { id: card.id })).code).toBe(2141)
  const before = await dollars()
  expect((await order(14, { cardId: card.id })).code).toBe(200)
  const next = await settleCard(deps, db, await newest())
  expect(next).toMatchObject({ state: 'active', replaces: card.id, changeWhy: 'risk' })
  expect((await settleCard(deps, db, card.id)).state).toBe('closed')
  expect(await dollars()).toBeCloseTo(before - 9.9, 5)
  expect(await readCardMoney(db, next.id)).toMatchObject({ posted: 5000 })
  await expectSoundBooks()
})

test('C7: a changed card keeps the limit of its month: what was spent goes along, and so does what comes back of it', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 90, user } })
  const spent = async () =>
    db.query<{ cardId: string; spent: bigint }>('select m.card_id, m.spent from cards_months m join cards_cards c on c.id = m.card_id where c.user_id = $1', [
      user.userId,
    ])
  const first = await issuer.authorize(card.cardRef!, 6000n, { decide: ask })
  issuer.capture(await issuer.authorize(card.cardRef!, 2000n, { decide: ask }), 2000n)
  await processNotices()
  expect(await spent()).toEqual([{ cardId: card.id, spent: 80n * NANO_PER_USD }])
  expect((await post('/card/changeCard', { id: card.id })).code).toBe(200)
  const next = await settleCard(deps, db, await newest())
  expect(await spent()).toEqual([{ cardId: next.id, spent: 80n * NANO_PER_USD }])
  await settleCard(deps, db, card.id)
  issuer.reverse(first)
  await processNotices()
  expect(await spent()).toEqual([{ cardId: next.id, spent: 20n * NANO_PER_USD }])
  await expectSoundBooks()
})

test('C7: a card changed for free or after a risk change lasts as long as it did; only a renewal is longer', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user, type: 'pro' } })
  const priced = async (what: 'cardChange' | 'cardRenewal', cardId: string) => (await post(`/v1/virtualCard/${what}`, { cardId })).data
  // a working card is not sold a replacement after a risk change, nor is a card that its member froze
  const isSold = async () => [(await post('/v1/virtualCard/cardChange', { cardId: card.id })).code, (await order(14, { cardId: card.id })).code]
  expect(await isSold()).toEqual([3602, 3602])
  await post('/card/frozen', { id: card.id })
  expect(await isSold()).toEqual([3602, 3602])
  await post('/card/unFrozen', { id: card.id })
  await settleCard(deps, db, card.id)
  await db.owner.query(`update cards_cards set valid_until = $2::timestamptz + interval '20 days' where id = $1`, [card.id, clock.now()])
  const { validUntil: until } = (await selectCardById(db, card.id))!
  expect(await priced('cardRenewal', card.id)).toMatchObject({ amount: '19.99' })
  expect((await post('/card/changeCard', { id: card.id })).code).toBe(200)
  const changed = await settleCard(deps, db, await newest())
  expect([changed.months, changed.validUntil]).toEqual([1, until])
  // a card frozen by a rule, and one closed by a rule
  await db.owner.query(`update cards_cards set state = 'frozen', frozen_by = 'risk' where id = $1`, [changed.id])
  expect(await priced('cardChange', changed.id)).toEqual({ orderType: 14, amount: '9.90' })
  await order(14, { cardId: changed.id })
  const second = await settleCard(deps, db, await newest())
  expect([second.replaces, second.months, second.validUntil]).toEqual([changed.id, 1, until])
  await db.owner.query(`update cards_cards set state = 'closing', close_reason = 'refusals', issuer_wanted = 'frozen', next_check_at = now() where id = $1`, [
    second.id,
  ])
  expect((await settleCard(deps, db, second.id)).state).toBe('closed')
  await order(14, { cardId: second.id })
  const third = await settleCard(deps, db, await newest())
  expect([third.replaces, third.months, third.validUntil]).toEqual([second.id, 1, until])
  await order(15, { cardId: third.id })
  const renewed = await settleCard(deps, db, await newest())
  expect([renewed.replaces, renewed.months, renewed.validUntil! > until!]).toEqual([third.id, 48, true])
  await expectSoundBooks()
})

test('C7: a card closed silently by the issuer is found closed when it is to be frozen, and its money comes back', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  await issuer.setCardState(card.cardRef!, 'closed')
  expect((await post('/card/frozen', { id: card.id })).code).toBe(200)
  expect(await settleCard(deps, db, card.id)).toMatchObject({ state: 'frozen', issuerState: 'closed', nextCheckAt: null })
  const before = await dollars()
  expect((await post('/card/close', { id: card.id, reason: 'user', payPassword: PIN })).code).toBe(200)
  expect((await settleCard(deps, db, card.id)).state).toBe('closed')
  expect(await dollars()).toBeCloseTo(before + 50, 5)
  await expectSoundBooks()
})

test('C6: a card thawed while its freeze is on its way sends both to the issuer', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  await post('/card/frozen', { id: card.id })
  const { setCardState } = issuer
  issuer.setCardState = async function (...call) {
    issuer.setCardState = setCardState
    const said = await setCardState.apply(issuer, call)
    expect((await post('/card/unFrozen', { id: card.id })).code).toBe(200)
    return said
  }
  await workCard(deps, card.id)
  expect((await selectCardById(db, card.id))!.nextCheckAt).not.toBeNull()
  await settleCard(deps, db, card.id)
  expect(issuer.cards.get(card.cardRef!)!.state).toBe('active')
  expect((await selectCardById(db, card.id))!).toMatchObject({ state: 'active', issuerState: 'active', nextCheckAt: null })
})

test('C9: above a fifth of refusals in twenty a card is closed, whatever they were for', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 5, user } })
  for (let n = 0; n < 16; n++) await issuer.authorize(card.cardRef!, 1n, { decide: ask })
  const refuse = () => issuer.authorize(card.cardRef!, 1n, { decide: ask, merchant: { ...HOME_MERCHANT, mcc: '7995' } })
  for (let n = 0; n < 4; n++) await refuse()
  expect((await selectCardById(db, card.id))!.state).toBe('active')
  await refuse()
  expect(await selectCardById(db, card.id)).toMatchObject({ state: 'closing', closeReason: 'refusal_rate' })
})

test.each(['won', 'lost'] as const)(
  'V5: credit that the issuer lends while a charge is disputed waits for the end of the dispute; %s, it comes or it does not',
  async (end) => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    issuer.capture(await issuer.authorize(card.cardRef!, 1000n, { decide: ask }), 1000n)
    await processNotices()
    const { rowList } = (await post('/transaction/list', { cardId: card.id, kind: 'purchase', state: 'success' })).data
    const dispute = { billId: rowList[0].id, reason: 'not_received', words: 'Paid on the second, and nothing ever came.' }
    expect((await post('/card/dispute', dispute)).data).toMatchObject({ state: 'draft', credited: false })
    expect((await post('/card/dispute', dispute)).code).not.toBe(200)
    await workDisputes(deps)
    expect(issuer.disputes.get([...issuer.disputes.keys()].at(-1)!)).toMatchObject({ status: 'submitted', credited: true })
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: 4000, available: 4000 })
    const off = (amount: string) => post('/v1/virtualCard/cardWithdrawal', { cardId: card.id, amount, payPassword: PIN })
    expect((await off('39.01')).code).toBe(3607)
    const ref = [...issuer.disputes.keys()].at(-1)!
    issuer.disputes.set(ref, { ...issuer.disputes.get(ref)!, status: end, credited: end === 'won' })
    for (let times = 0; times < 2; times++) issuer.tell('dispute', ref, '')
    await processNotices()
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: end === 'won' ? 5000 : 4000 })
    expect((await get(`/transaction/${rowList[0].id}`)).data.dispute).toMatchObject({ state: end, credited: end === 'won' })
    await expectSoundBooks()
  },
)

test('a warning brings every fact that its texts name, in both languages', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  for (let n = 0; n < 3; n++) await issuer.authorize(card.cardRef!, 7000n, { decide: ask })
  await db.owner.query(
    `update cards_cards set valid_until = now() + interval '5 days', must_change = true, warned = jsonb_build_object('returned', '38') where id = $1`,
    [card.id],
  )
  const warnings = async () => (await post('/card/info', { id: card.id })).data.warnings as { name: string; facts: Record<string, string> }[]
  const before = await warnings()
  expect(before[0]).toEqual({ name: 'refusals', facts: { count: '3', left: '7', merchant: HOME_MERCHANT.name, missing: '20' } })
  // more than the card and the balance cover; the balance pays debts first
  const { available } = await readBalance(db, user.userId)
  issuer.post(card.cardRef!, 'capture', 6000n + available / 10_000_000n)
  await processNotices()
  const all = await warnings()
  expect(all.map(({ name }) => name)).toEqual(['refusals', 'owed', 'must_change', 'expiring', 'returned'])
  for (const { name, facts } of all)
    for (const texts of Object.values(cardTexts) as Readonly<Record<string, string>>[])
      for (const text of [texts[`warning_${name}`]!, texts[`warningAbout_${name}`]!])
        expect([name, [...text.matchAll(/\{(\w+)\}/g)].map(([, fact]) => fact!).filter((fact) => !(fact in facts))]).toEqual([name, []])
})

test('a bill shows its course: money on its way and there, a charge held, raised and captured', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
  const auth = await issuer.authorize(card.cardRef!, 1000n, { decide: ask })
  await issuer.authorize(card.cardRef!, 500n, { decide: ask, again: auth })
  issuer.capture(auth, 1400n)
  await processNotices()
  const course = async (kind: string) => {
    const [bill] = (await post('/transaction/list', { cardId: card.id, kind, state: 'success' })).data.rowList
    return (await get(`/transaction/${bill.id}`)).data.steps.map(({ event, amount }: { event: string; amount: string }) => [event, amount])
  }
  expect(await course('recharge')).toEqual([
    ['sent', '50'],
    ['done', '50'],
  ])
  expect((await course('purchase')).slice(0, 3)).toEqual([
    ['authorized', '10'],
    ['incremented', '5'],
    ['captured', '14'],
  ])
})

test('an Angel user pays two percent on a recharge where the channel takes more, and only on that', async () => {
  const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
  const fee = async () => (await post('/v1/pay/rechargeFee', { cardId: card.id, channelType: 25 })).data.fee
  const percentOf = async (orderType: number) => (await get('/v1/pay/quote', { orderType, channelType: 25 })).data.feePercent
  const usual = await percentOf(0)
  expect([Number(usual) > 2, await fee()]).toEqual([true, String(Number(usual) / 100)])
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, angels, { percent: '2', users: [user.userId] }))
  expect([await percentOf(0), await percentOf(10), await fee()]).toEqual(['2', usual, '0.02'])
  user = await aUser(deps)
  expect(await percentOf(0)).toBe(usual)
})
