import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { anOpenOrder, payOpenOrder } from '#features/payments/server/builders.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { rechargeLimits } from '../settings.ts'
import { createBookIssuer } from '../testing/book-issuer.ts'
import { aFundedCard, advanceWaitingWork } from '../testing/funded-card.ts'

// A recharge over a channel, within what a month allows on that channel.
let url = ''
const db = await useTestDb({ max: 10 })
const { app, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db, overrides: { publicUrl: () => url } })
url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const CHANNEL = 25

beforeAll(async () => {
  await cards.start?.(deps, new Set())
  const rules = await deps.settings.get(rechargeLimits)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, rechargeLimits, { ...rules, channelMonth: { [CHANNEL]: '100' } }))
})

test('a channel’s monthly limit counts over all cards and orders; beyond it the money stays in the balance', async () => {
  const { user, card } = await aFundedCard(deps, db, { issuer })
  const wish = { userId: user.userId, cardId: card.id, orderType: ORDER_TYPE.RECHARGE, channelType: CHANNEL }
  const posted = async () => (await readBalance(db, user.userId)).posted
  const loaded = () =>
    db.query(`select channel_type, amount from cards_moves where user_id = $1 and order_no is not null and state <> 'failed' order by created_at`, [
      user.userId,
    ])
  const before = await posted()

  const open = [await anOpenOrder(deps, { ...wish, amount: '60' }), await anOpenOrder(deps, { ...wish, amount: '60' })]
  for (const order of open) expect((await payOpenOrder(deps, order)).state).toBe('fulfilled')
  expect(await loaded()).toEqual([{ channelType: CHANNEL, amount: 60_000_000_000n }])
  expect((await posted()) - before).toBe(60_000_000_000n)
  await advanceWaitingWork(deps, db, issuer)

  await expect(anOpenOrder(deps, { ...wish, amount: '41' })).rejects.toMatchObject({ errorName: 'CARD_RECHARGE_LIMIT', data: { max: '40' } })
  await payOpenOrder(deps, await anOpenOrder(deps, { ...wish, amount: '40' }))
  expect(await loaded()).toHaveLength(2)
  await expect(anOpenOrder(deps, { ...wish, amount: '5' })).rejects.toMatchObject({ errorName: 'CARD_RECHARGE_LIMIT', data: { max: '0' } })
})
