import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { aPaidRechargeOrder } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { readBalance, readUnspentCredit } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aRecharge } from '../builders.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { createBookIssuer } from '../testing/book-issuer.ts'
import { aFundedCard, auditBooks, deliverNotices, settleCard } from '../testing/funded-card.ts'
import { startUnload } from './start-move.ts'
import { workMove } from './work-moves.ts'

// Money that was on a card is still the money of the payment that brought it.
let url = ''
const db = await useTestDb({ max: 20 })
const { app, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, overrides: { publicUrl: () => url } })
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
const USD = NANO_PER_USD

async function aTopUp(amount: string) {
  const { user, card } = await aFundedCard(deps, db, { issuer })
  const { orderNo } = await aPaidRechargeOrder(deps, { userId: user.userId, amount })
  const paidAlso = async (more: string) => (await aPaidRechargeOrder(deps, { userId: user.userId, amount: more })).orderNo
  return {
    user,
    card,
    orderNo,
    paidAlso,
    load: async (dollars: bigint, onto = card) => workMove(deps, await aRecharge(deps, onto, dollars * USD)),
    off: (dollars: bigint, from = card) =>
      transact(db, SYSTEM, async (tx) => {
        await tx.audit('card.withdrawal_built', `card:${from.id}`)
        return (await startUnload(tx, from, { kind: 'withdrawal', amount: dollars * USD }))!.id
      }),
    /** Unspent credit of an order, and the withdrawable total. */
    has: async (order = orderNo) => [
      (await readUnspentCredit(db, user.userId, { orderRef: order })).purchased / USD,
      (await readBalance(db, user.userId)).withdrawable / USD,
    ],
  }
}

test('a withdrawal from a card restores the credit that the recharge took, the last recharge first', async () => {
  const { card, orderNo, paidAlso, load, off, has } = await aTopUp('50')
  await load(40n)
  const second = await paidAlso('30')
  await load(30n)
  expect([await has(), await has(second)]).toEqual([
    [0n, 10n],
    [10n, 10n],
  ])
  issuer.post(card.cardRef!, 'capture', 500n)
  await deliverNotices(deps, issuer)
  await workMove(deps, await off(25n))
  // the second recharge had taken the first order's last ten, and twenty of the second order
  expect([await has(), await has(second)]).toEqual([
    [5n, 35n],
    [30n, 35n],
  ])
  await workMove(deps, await off(40n))
  expect([await has(orderNo), await has(second)]).toEqual([
    [45n, 75n],
    [30n, 75n],
  ])
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('money that came to the card otherwise restores no payment, and a refused withdrawal gives nothing back', async () => {
  const { card, load, off, has } = await aTopUp('20')
  await load(20n)
  // a refund costs a dollar
  issuer.post(card.cardRef!, 'refund', 700n)
  await deliverNotices(deps, issuer)
  issuer.faults.load = ['refused']
  await workMove(deps, await off(26n))
  expect(await has()).toEqual([0n, 0n])
  await workMove(deps, await off(26n))
  expect(await has()).toEqual([20n, 26n])
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('withdrawals from ten cards at once give each dollar back once', async () => {
  const { user, load, off, has } = await aTopUp('40')
  const ten = await Promise.all(Array.from({ length: 10 }, async () => (await aFundedCard(deps, db, { issuer, options: { user } })).card))
  for (const card of ten) await load(4n, card)
  const moves = await Promise.all(ten.map((card) => off(4n, card)))
  await Promise.all([...moves, ...moves].map((id) => workMove(deps, id)))
  expect(await has()).toEqual([40n, 40n])
  expect(await auditBooks(db, issuer)).toEqual([])
})

test('a card that closes restores the credit too, also by what comes after its end', async () => {
  const { card, load, has } = await aTopUp('30')
  await load(30n)
  await transact(db, SYSTEM, async (tx) => {
    await tx.audit('card.closing_built', `card:${card.id}`)
    await tx.query(`update cards_cards set state = 'closing', close_reason = 'user', issuer_wanted = 'frozen', next_check_at = now() where id = $1`, [card.id])
  })
  issuer.post(card.cardRef!, 'capture', 1200n)
  await deliverNotices(deps, issuer)
  expect((await settleCard(deps, db, card.id)).state).toBe('closed')
  expect(await has()).toEqual([18n, 18n])
  issuer.post(card.cardRef!, 'refund', 1200n)
  await deliverNotices(deps, issuer)
  expect(await has()).toEqual([29n, 29n])
  expect(await auditBooks(db, issuer)).toEqual([])
})
