import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { aPaidRechargeOrder } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { readBalance, readDebt, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { selectCardById } from './cards/data.ts'
import { cards } from './index.ts'
import { replaceIssuers } from './vendors/index.ts'
import { workMove } from './money/work-moves.ts'
import { createBookIssuer } from './testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, settleCard } from './testing/funded-card.ts'

// V5 and the debt gate: charges beyond a card's balance are paid before any money leaves.
let url = ''
const db = await useTestDb({ max: 20 })
const { app, callAs, deps } = createTestApp({
  features: [cards, payments, identity, wallet, account, notices, risk],
  db,
  clock: createRunningClock(),
  overrides: { publicUrl: () => url },
})
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
const PIN = '271828'
const PAYEE = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X' }

async function aDebtor() {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 20, user } })
  const me = callAs(user.token)
  return {
    card,
    ref: card.cardRef!,
    userId: user.userId,
    me,
    post: (path: string, body: object = {}) => me('POST', path, body, { idempotencyKey: createId('key') }),
    pay: (amount: string, more: object = {}) => aPaidRechargeOrder(deps, { userId: user.userId, amount, ...more }),
    /** Whole dollars. */
    has: async () => ({
      withdrawable: (await readBalance(db, user.userId)).withdrawable / NANO_PER_USD,
      owed: (await readDebt(db, user.userId)) / NANO_PER_USD,
    }),
  }
}
const ask = createDecisionCaller(deps, issuer)
const force = async (ref: string, dollars: number) => {
  issuer.post(ref, 'capture', BigInt(dollars * 100))
  await deliverNotices(deps, issuer)
}

test('the balance pays over-captures and forced captures at once, and the rest stops every way out until it is paid', async () => {
  const { card, ref, post, pay, me, has } = await aDebtor()
  const { orderNo } = await pay('40')
  const auth = await issuer.authorize(ref, 2000n, { decide: ask })
  issuer.capture(auth, 10_900n)
  await deliverNotices(deps, issuer)
  await force(ref, 80)
  // 20 on the card and 40 in the balance paid of 189
  expect([await has(), await readCardMoney(db, card.id)]).toMatchObject([{ withdrawable: 0n, owed: 129n }, { owed: 12_900 }])
  expect(await settleCard(deps, db, card.id)).toMatchObject({ state: 'frozen', frozenBy: 'risk', issuerState: 'frozen' })
  const refused = { code: 1039, data: { owed: '129' } }
  expect(await post('/v1/userWrapperApi/balanceRefund', { amount: '5', payPassword: PIN, ...PAYEE })).toMatchObject(refused)
  expect((await me('GET', '/v1/userWrapperApi/withdrawQuote')).data).toMatchObject({ blocked: 'DEBT_FIRST', owed: '129' })
  expect(await post('/pay/refund', { orderNo })).toMatchObject(refused)
  expect((await post('/v1/pay/balancePay', { orderType: 12, cardId: card.id, payPassword: PIN })).code).toBe(3624)
  // the money of a top-up pays debts first, in the transaction that settles it
  await pay('100')
  expect(await has()).toEqual({ withdrawable: 0n, owed: 29n })
  await pay('50')
  expect(await has()).toEqual({ withdrawable: 21n, owed: 0n })
  const bills = await db.query<{ amount: bigint }>(`select amount from cards_bills where card_id = $1 and kind = 'settled_debt' order by seq`, [card.id])
  expect(bills.map(({ amount }) => amount / NANO_PER_USD)).toEqual([40n, 100n, 29n])
  expect((await post('/v1/userWrapperApi/balanceRefund', { amount: '20', payPassword: PIN, ...PAYEE })).code).toBe(200)
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('a recharge over a channel pays what its card owes, and the card gets the rest', async () => {
  const { card, ref, pay, has } = await aDebtor()
  await force(ref, 30)
  expect(await has()).toEqual({ withdrawable: 0n, owed: 10n })
  await pay('25', { orderType: 0, cardId: card.id })
  const [move] = await db.query<{ id: string }>('select id from cards_moves where to_card = $1 and finished_at is null', [card.id])
  await workMove(deps, move!.id)
  expect([await has(), await readCardMoney(db, card.id)]).toMatchObject([
    { withdrawable: 0n, owed: 0n },
    { available: 1500, owed: 0 },
  ])
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('a card that its member froze is stopped by its debt too: its member cannot open it again', async () => {
  const { card, ref, post } = await aDebtor()
  await post('/card/frozen', { id: card.id })
  await force(ref, 75)
  expect(await selectCardById(db, card.id)).toMatchObject({ state: 'frozen', frozenBy: 'risk' })
  expect((await post('/card/unFrozen', { id: card.id })).code).toBe(3604)
})

test('shops and top-ups at once never leave a debt beside money that can leave', async () => {
  const { ref, pay, userId } = await aDebtor()
  const takes = Array.from({ length: 4 }, () => issuer.post(ref, 'capture', 1500n))
  await Promise.all([deliverNotices(deps, issuer), pay('10'), pay('20'), pay('15')])
  await deliverNotices(deps, issuer)
  expect(takes).toHaveLength(4)
  const { withdrawable } = await readBalance(db, userId)
  expect(withdrawable === 0n || (await readDebt(db, userId)) === 0n).toBe(true)
  // 20 on the card and 45 paid in, less 60
  expect([withdrawable / NANO_PER_USD, await readDebt(db, userId)]).toEqual([5n, 0n])
  expect((await verifyLedger(db)).problems).toEqual([])
})
