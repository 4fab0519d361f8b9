import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser, freezeAccount, thawAccount } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { formatMovementTitle } from '#features/wallet/contract-movements.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { selectCardById } from './cards/data.ts'
import { buildCardRow } from './views/card-view.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { processExpiringCards } from './lifecycle/expiry.ts'
import { compareCardBookDay } from './books/book.ts'
import { openingPaused } from './settings.ts'
import { createBookIssuer } from './testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork, settleCard } from './testing/funded-card.ts'
import { repeatForRelease } from './testing/counts.ts'

const db = await useTestDb({ max: 30 })
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, clock })
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
  issuer.faults.load = issuer.faults.createCard = []
})

const post = (path: string, body: object = {}, key = createId('key')) => call('POST', path, body, { token: user.token, idempotencyKey: key })
const get = (path: string, query: object = {}) => call('GET', path, query, { token: user.token })
const dollars = async () => Number((await readBalance(db, user.userId)).posted / (NANO_PER_USD / 100n)) / 100
/** Inserts a membership in place of the steps of account opening, which identity's tests cover. */
const isMember = async () =>
  db.query(`insert into cards_members (user_id, until) values ($1, now() + interval '2 years') on conflict do nothing`, [user.userId])
const order = async (orderType: number, more: object = {}) => post('/v1/pay/balancePay', { orderType, payPassword: PIN, ...more })
const newest = async () =>
  (await db.query<{ id: string }>('select id from cards_cards where user_id = $1 order by created_at desc limit 1', [user.userId]))[0]!.id
const opened = async () => {
  await isMember()
  expect((await order(2, { service: 'standard' })).code).toBe(200)
  return settleCard(deps, db, await newest())
}
const expectSoundBooks = async () => expect(await auditBooks(db, issuer)).toEqual([])

describe('opening', () => {
  test('a user who has not passed the steps is led to the one that is missing', async () => {
    user = await aUser(deps)
    expect((await post('/card/create', { type: 'standard' })).code).toBe(3612)
  })
  test('the first card brings two years of membership; a deposit comes back with the last card', async () => {
    user = await aUser(deps)
    await aPayPassword(deps, user.userId, PIN)
    await aFundedUser(db, { userId: user.userId })
    await aReadyHolder(deps, user.userId, { method: 'deposit' })
    expect((await get('/card/opening')).data).toMatchObject({ status: 5, orderType: 1, price: '11.99', deposit: '3', total: '14.99' })
    expect((await order(1, { service: 'standard' })).code).toBe(200)
    const card = await settleCard(deps, db, await newest())
    expect(await dollars()).toBe(85.01)
    // the page gets the price of a further card and the sum paid for this one
    const paid = { orderType: 1, price: '11.99', deposit: '3', total: '14.99' }
    expect((await get('/card/opening')).data).toMatchObject({ status: 3, orderType: 2, deposit: '0', price: '9.99', paid })
    expect((await post('/card/close', { id: card.id, reason: 'user', payPassword: PIN })).code).toBe(200)
    expect((await settleCard(deps, db, card.id)).state).toBe('closed')
    expect(await dollars()).toBe(88.01)
    // without deposit or face check the user gets no further card, neither a new one nor a renewal of the old one
    expect((await get('/card/opening')).data).toMatchObject({ orderType: 2, price: '9.99', deposit: '3', total: '12.99' })
    expect((await order(15, { cardId: card.id })).code).toBe(3602)
    expect((await order(2, { service: 'standard' })).code).toBe(200)
    const next = await settleCard(deps, db, await newest())
    expect([await dollars(), next.state]).toEqual([75.02, 'active'])
    expect((await get('/card/opening')).data).toMatchObject({ orderType: 2, deposit: '0' })
    expect((await post('/card/close', { id: next.id, reason: 'user', payPassword: PIN })).code).toBe(200)
    await settleCard(deps, db, next.id)
    expect(await dollars()).toBe(78.02)
    await expectSoundBooks()
  })
  test('a card is ordered, made and mailed, and the order is fulfilled', async () => {
    const { data } = await post('/card/create', { type: 'standard' }).then(async () => (await isMember(), post('/card/create', { type: 'pro' })))
    expect(data).toEqual({ orderType: 2, amount: '19.99', service: 'pro' })
    const card = await opened()
    expect(card).toMatchObject({ state: 'active', type: 'standard', bin: '424242' })
    expect(await dollars()).toBe(90.01)
    expect((await db.query('select state from payments_orders where order_no = $1', [card.orderNo]))[0]).toEqual({ state: 'fulfilled' })
    expect((await get('/card/opening')).data).toMatchObject({ status: 3, card: { id: card.id, needsFirstRecharge: true } })
    expect((await get('/user/info')).data.cardNo).toMatch(/^424242•/)
    await expectSoundBooks()
  })
  test.each([['lost'], ['dead']] as const)('C1: an opening whose answer is %s makes one card for one fee', repeatForRelease(100), async (fault) => {
    const before = issuer.created
    issuer.faults.createCard = [fault, fault]
    const card = await opened()
    for (let round = 0; round < 4 && (await selectCardById(db, card.id))!.state !== 'active'; round++) await settleCard(deps, db, card.id)
    expect(issuer.created).toBe(before + 1)
    expect(await dollars()).toBe(90.01)
    expect((await selectCardById(db, card.id))!.state).toBe('active')
  })
  test('an opening refused by the issuer returns the money, and is not tried again', async () => {
    const before = await dollars()
    issuer.faults.createCard = ['refused']
    const card = await opened()
    expect([card, await dollars()]).toMatchObject([{ state: 'failed', failReason: 'name', attempt: 1 }, before])
    expect((await post('/card/reOpenCard', { id: card.id })).code).toBe(3605)
  })
  test('openings pause while the issuer has no money', async () => {
    await isMember()
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, openingPaused, { paused: true, until: '2026-12-01T10:00:00Z' }))
    expect((await post('/card/create', { type: 'standard' })).code).toBe(3611)
    expect((await get('/common/cardAmount')).data.pausedUntil).toBe('2026-12-01T10:00:00Z')
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, openingPaused, { paused: false, until: '' }))
  })
})

describe('money on and off', () => {
  const recharge = (cardId: string, amount: string, key?: string) =>
    post('/v1/virtualCard/cardRecharge', { cardId, amount, channelType: 5, payPassword: PIN }, key)

  test('the first recharge has a minimum and a fee of its own; later ones have neither', async () => {
    const card = await opened()
    // 25.00 are to be on the card after the activation fee of 1.00
    expect(await recharge(card.id, '25.99')).toMatchObject({ code: 3627, data: { min: '26' }, msg: '单次最少充值 $26.00' })
    expect(await recharge(card.id, '201')).toMatchObject({ code: 2213, data: { max: '200' } })
    expect((await get('/card/rechargeBounds', { id: card.id })).data).toMatchObject({ min: '26', presets: ['26', '40', '60'], activationFee: '1' })
    expect((await get('/common/cardAmount')).data.firstMinimum).toBe('26')
    const key = createId('key')
    const { data } = await recharge(card.id, '26', key)
    expect(data).toMatchObject({ state: 'sent', activationFee: '1' })
    expect((await recharge(card.id, '26', key)).data.rechargeId).toBe(data.rechargeId)
    await settleCard(deps, db, card.id)
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: 2500 })
    expect((await recharge(card.id, '5')).data.activationFee).toBe('0')
    await settleCard(deps, db, card.id)
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: 3000 })
    expect(issuer.cards.get(card.cardRef!)!.balance).toBe(3000n)
    expect((await recharge(card.id, '59')).code).toBe(200)
    expect((await recharge(card.id, '60')).code).toBe(3606)
    await settleCard(deps, db, card.id)
    await expectSoundBooks()
  })
  test('a gift never leaves by card', async () => {
    const card = await opened()
    await aFundedUser(db, { userId: user.userId, purchased: 0n, granted: 500n * NANO_PER_USD })
    for (const amount of ['60', '30.01']) await recharge(card.id, amount)
    await settleCard(deps, db, card.id)
    expect((await recharge(card.id, '5')).code).toBe(3606)
  })
  test.each([['lost'], ['dead'], ['refused']] as const)('C2: a recharge whose answer is %s', repeatForRelease(50), async (fault) => {
    const card = await opened()
    issuer.faults.load = [fault]
    const before = await dollars()
    expect((await recharge(card.id, '30')).code).toBe(200)
    await settleCard(deps, db, card.id)
    const isIn = fault !== 'refused'
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: isIn ? 2900 : 0 })
    expect(await dollars()).toBeCloseTo(isIn ? before - 30 : before, 5)
    expect(issuer.cards.get(card.cardRef!)!.balance).toBe(isIn ? 2900n : 0n)
    await expectSoundBooks()
  })
  test('an action closed for maintenance is refused before the payment password is asked for, and works afterwards', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const maintenance = payments.settings!.find(({ key }) => key === 'payments.maintenance')!
    const close = (isMaintain: boolean) =>
      transact(db, SYSTEM, (tx) =>
        deps.settings.set(tx, maintenance, { ...(maintenance.fallback as object), isMaintain, closed: ['openCard', 'withdraw', 'revealCard'] }),
      )
    const tried = async (payPassword: string) => [
      (await post('/v1/virtualCard/cardWithdrawal', { cardId: card.id, amount: '5', payPassword })).code,
      (await post('/card/cardPrivacyInfo', { id: card.id, payPassword })).code,
      (await post('/card/create', { type: 'standard' })).code,
    ]
    await close(true)
    expect(await tried('999999')).toEqual([3614, 3614, 3614])
    expect((await post('/v1/virtualCard/cardRecharge', { cardId: card.id, amount: '5', channelType: 5, payPassword: PIN })).code).toBe(200)
    await close(false)
    expect((await tried(PIN)).slice(0, 2)).toEqual([200, 200])
  })
  test('a withdrawal leaves a dollar; a lost answer moves it once, a refusal frees it', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const before = await dollars()
    const off = (amount: string) => post('/v1/virtualCard/cardWithdrawal', { cardId: card.id, amount, payPassword: PIN })
    expect((await off('49.01')).msg).toContain('49')
    await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'test', scopes: ['money_out'] })
    expect(await off('20')).toMatchObject({ code: 1038, msg: '你的账户暂停提现和退款，请联系客服' })
    await thawAccount(deps, SYSTEM, { userId: user.userId, reason: 'test' })
    issuer.faults.load = ['lost']
    expect((await off('20')).code).toBe(200)
    expect(await readCardMoney(db, card.id)).toMatchObject({ available: 3000 })
    await settleCard(deps, db, card.id)
    issuer.faults.load = ['refused']
    await off('29')
    await settleCard(deps, db, card.id)
    expect(await readCardMoney(db, card.id)).toEqual({ posted: 3000, held: 0, available: 3000, owed: 0 })
    expect(await dollars()).toBeCloseTo(before + 20, 5)
    await expectSoundBooks()
  })
})

describe('freezing, ending, changing', () => {
  test('C6: a freeze that races an authorisation: after it nothing is approved, what was before is captured', repeatForRelease(200), async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const early = await issuer.authorize(card.cardRef!, 1000n, { decide: ask })
    const [, ...raced] = await Promise.all([
      post('/card/frozen', { id: card.id }),
      ...[1, 2, 3, 4].map(() => issuer.authorize(card.cardRef!, 100n, { decide: ask })),
    ])
    expect((await issuer.authorize(card.cardRef!, 100n, { decide: ask })).reason).toBe('card_frozen')
    issuer.capture(early, 1000n)
    await deliverNotices(deps, issuer)
    const held = raced.filter(({ approved }) => approved).length * 100
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: 4000, held })
    await settleCard(deps, db, card.id)
    expect(issuer.cards.get(card.cardRef!)!.state).toBe('frozen')
    expect((await post('/card/frozen', { id: card.id })).data.state).toBe('frozen')
    expect((await post('/card/unFrozen', { id: card.id })).data.state).toBe('active')
    await advanceWaitingWork(deps, db, issuer)
    await expectSoundBooks()
  })
  test('C6, C8: a card closed with a charge open waits, then closes; a refund goes to the balance with a mail', repeatForRelease(50), async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const before = await dollars()
    const open = await issuer.authorize(card.cardRef!, 1000n, { decide: ask })
    expect((await post('/card/close', { id: card.id, reason: 'user', payPassword: PIN })).data.state).toBe('closing')
    expect((await settleCard(deps, db, card.id)).state).toBe('closing')
    expect(await dollars()).toBeCloseTo(before + 40, 5)
    issuer.capture(open, 1000n)
    await deliverNotices(deps, issuer)
    await advanceWaitingWork(deps, db, issuer)
    expect((await settleCard(deps, db, card.id)).state).toBe('closed')
    expect((await post('/card/unFrozen', { id: card.id })).code).toBe(3603)
    issuer.post(card.cardRef!, 'refund', 1000n)
    await deliverNotices(deps, issuer)
    expect(await dollars()).toBeCloseTo(before + 49.8, 5)
    await settle()
    expect((await db.query(`select 1 from notices_mails where template = 'cards.refund_to_closed'`)).length).toBeGreaterThan(0)
    expect((await post('/card/expiredCardDelete', { id: card.id })).code).toBe(200)
    expect((await get('/card/list')).data.rowList.map((row: { id: string }) => row.id)).not.toContain(card.id)
    await expectSoundBooks()
  })
  test('C7: the balance of a changed card follows, late captures post on the old card, refunds go to the new one', repeatForRelease(100), async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const open = await issuer.authorize(card.cardRef!, 1000n, { decide: ask })
    expect((await post('/card/changeCard', { id: card.id })).code).toBe(200)
    expect((await post('/card/changeCard', { id: card.id })).code).toBe(3605)
    const next = await newest()
    await settleCard(deps, db, next)
    await settleCard(deps, db, card.id)
    expect((await issuer.authorize(card.cardRef!, 100n, { decide: ask })).reason).toBe('card_closed')
    expect(await readCardMoney(db, next)).toMatchObject({ posted: 4000 })
    issuer.capture(open, 800n)
    await deliverNotices(deps, issuer)
    await advanceWaitingWork(deps, db, issuer)
    expect((await settleCard(deps, db, card.id)).state).toBe('closed')
    issuer.post(card.cardRef!, 'refund', 300n)
    await deliverNotices(deps, issuer)
    expect(await readCardMoney(db, next)).toMatchObject({ posted: 4000 + 200 + 294 })
    expect((await get('/card/changeCardStatus', { cardId: card.id })).data).toMatchObject({ status: 'success', newCard: { id: next } })
    await expectSoundBooks()
  })
  test('C9: ten refusals in a row close a card, and what is left goes to the balance', repeatForRelease(10), async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 5, user } })
    for (let n = 0; n < 9; n++) await issuer.authorize(card.cardRef!, 2000n, { decide: ask })
    await issuer.authorize(card.cardRef!, 100n, { decide: ask, overrule: false })
    for (let n = 0; n < 9; n++) await issuer.authorize(card.cardRef!, 2000n, { decide: ask })
    expect((await selectCardById(db, card.id))!.state).toBe('active')
    await issuer.authorize(card.cardRef!, 2000n, { decide: ask })
    await deliverNotices(deps, issuer)
    await advanceWaitingWork(deps, db, issuer)
    expect(await settleCard(deps, db, card.id)).toMatchObject({ state: 'closed', closeReason: 'refusals' })
    expect(await readCardMoney(db, card.id)).toMatchObject({ posted: 0 })
    await expectSoundBooks()
  })
  test('V5: beyond our limit a card is stopped, and what it owes is settled before it thaws', async () => {
    user = await aUser(deps)
    await aPayPassword(deps, user.userId, PIN)
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 5, user } })
    issuer.post(card.cardRef!, 'capture', 5500n)
    await deliverNotices(deps, issuer)
    expect(await selectCardById(db, card.id)).toMatchObject({ state: 'frozen', frozenBy: 'risk' })
    expect((await order(12, { cardId: card.id })).code).toBe(3624)
    expect((await post('/card/unFrozen', { id: card.id })).code).toBe(3604)
    expect((await post('/v1/virtualCard/cardOutstanding', { cardId: card.id })).data).toEqual({ orderType: 13, amount: '50' })
    await aFundedUser(db, { userId: user.userId })
    expect(await readCardMoney(db, card.id)).toMatchObject({ owed: 0 })
    expect((await order(12, { cardId: card.id })).code).toBe(200)
    expect((await selectCardById(db, card.id))!.state).toBe('active')
    await expectSoundBooks()
  })
  test('a card ends after its last day, and an order of type 15 brings the next', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    await db.owner.query(`update cards_cards set valid_until = now() - interval '1 hour' where id = $1`, [card.id])
    await processExpiringCards(deps)
    expect(await settleCard(deps, db, card.id)).toMatchObject({ state: 'closed', closeReason: 'expired' })
    expect((await order(15, { cardId: card.id })).code).toBe(200)
    const next = await settleCard(deps, db, await newest())
    expect(next).toMatchObject({ state: 'active', replaces: card.id })
    await expectSoundBooks()
  })
})

describe('the views of a card', () => {
  test('the rows add up to the totals, and to the card', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    issuer.capture(await issuer.authorize(card.cardRef!, 1000n, { decide: ask }), 1000n)
    issuer.post(card.cardRef!, 'refund', 500n)
    await issuer.authorize(card.cardRef!, 700n, { decide: ask })
    await issuer.authorize(card.cardRef!, 70_000n, { decide: ask })
    await deliverNotices(deps, issuer)
    const { rowList } = (await post('/transaction/list', { cardId: card.id })).data as {
      rowList: { amount: string; fee: string; status: string; id: string; kind: string }[]
    }
    const total = (await post('/transaction/total', { cardId: card.id })).data
    const sum = rowList.filter(({ status }) => status === 'success').reduce((all, row) => all + Number(row.amount) + Number(row.fee), 0)
    expect(sum).toBeCloseTo(Number(total.net), 6)
    expect(total).toMatchObject({ recharged: '50', spent: '10', refunded: '5', fees: '0.1', held: '7', count: rowList.length })
    expect(rowList.find(({ status }) => status === 'fail')).toMatchObject({ reason: 'insufficient_funds' })
    const bought = rowList.find(({ kind, status }) => kind === 'purchase' && status === 'success')!
    expect((await get(`/transaction/${bought.id}`)).data.steps.map(({ event }: { event: string }) => event)).toContain('captured')
    const csv = (await get('/transaction/csv', { cardId: card.id })).raw.body
    expect(csv).toContain(`,${formatMovementTitle('zh', 'card.spent', { isIn: false })},成功,OPENAI *CHATGPT SUBSCR,`)
    const month = new Date(clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 7)
    const paper = await get('/card/applyMonthlyStatementInvoice', { month, cardId: card.id })
    expect(paper.raw.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const dispute = await post('/card/dispute', { billId: bought.id, reason: 'fraudulent', words: 'I have never bought anything there at all.' })
    expect(dispute.data).toMatchObject({ state: 'draft', amount: '10' })
  })
  test('a card says its programme by the number that clients know: 4 QbitBudget, 7 Corpay, 0 an issuer that has gone', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
    for (const [issuer, platform] of Object.entries({ stripe: 4, lithic: 7, sandbox: 4, gone: 0 }))
      expect([issuer, (await buildCardRow(deps, db, { ...card, issuer })).platform]).toEqual([issuer, platform])
    expect((await get('/card/list')).data.rowList[0]).toMatchObject({ id: card.id, platform: 0 })
  })
  test('a frame is given for the password alone, and is kept nowhere; a code is mailed and shown, and kept nowhere', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { user } })
    expect((await post('/card/cardPrivacyInfo', { id: card.id, payPassword: '000000' })).code).toBe(1031)
    const { data } = await post('/card/cardPrivacyInfo', { id: card.id, payPassword: PIN })
    expect(data.url).toContain('issuer.example/frame')
    issuer.codes.set('ch_1', { cardRef: card.cardRef!, code: '918273' })
    issuer.tell('challenge', 'ch_1', card.cardRef!)
    await deliverNotices(deps, issuer)
    expect((await get('/card/challenges')).data.rowList).toMatchObject([{ code: '918273', last4: card.last4 }])
    for (const { name } of await db.owner.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)) {
      const text = (await db.owner.query<{ t: string }>(`select t::text as t from ${name} t`)).map(({ t }) => t).join('\n')
      for (const secret of [data.url, Buffer.from('918273').toString('base64'), Buffer.from('918273').toString('hex')]) expect(text, name).not.toContain(secret)
      // the same digits may occur in a hash or in the fraction of a second
      expect(text, name).not.toMatch(/(?<![\w.])918273\b/)
    }
  })
  test('another member’s card is not there', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 5 } })
    for (const [method, path, body] of [
      ['POST', '/card/info', { id: card.id }],
      ['POST', '/card/frozen', { id: card.id }],
      ['GET', `/v1/virtualCard/${card.id}/balance`, {}],
      ['POST', '/transaction/list', { cardId: card.id }],
    ] as const)
      expect((await call(method, path, body, { token: user.token, idempotencyKey: createId('key') })).code, path).toBe(3601)
  })
  test('C11: each difference between the issuer’s book and ours is named', async () => {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50, user } })
    const row = issuer.post(card.cardRef!, 'capture', 300n)
    await deliverNotices(deps, issuer)
    const day = clock.now().toISOString().slice(0, 10)
    expect((await compareCardBookDay(deps, issuer, day)).filter(({ ref }) => ref === row.ref)).toEqual([])
    issuer.transactions.set(row.ref, { ...row, minor: 301n })
    expect(await compareCardBookDay(deps, issuer, day)).toMatchObject([{ ref: row.ref, fault: 'amount', ours: '3.00', theirs: '3.01' }])
    issuer.transactions.delete(row.ref)
    expect(await compareCardBookDay(deps, issuer, day)).toMatchObject([{ ref: row.ref, fault: 'extra' }])
    issuer.transactions.set(row.ref, row)
    const missing = issuer.post(card.cardRef!, 'capture', 100n)
    issuer.notices.length = 0
    expect(await compareCardBookDay(deps, issuer, day)).toMatchObject([{ ref: missing.ref, fault: 'missing' }])
    expect(await compareCardBookDay(deps, issuer, day)).toEqual([])
    await expectSoundBooks()
  })
})
