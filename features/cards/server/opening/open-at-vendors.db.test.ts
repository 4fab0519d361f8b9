import { afterEach, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_CENT, NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aHolderForm, aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { cards } from '../index.ts'
import { settleCard } from '../testing/funded-card.ts'
import { aLithicIssuer } from '../testing/play-lithic.ts'
import type { Played } from '../testing/played.ts'
import { aStripeIssuer } from '../testing/play-stripe.ts'
import { replaceIssuers } from '../vendors/index.ts'

// Opening at the stand-ins of the vendors, which refuse what the vendors refuse: a card that is paid is made, or the money is back.
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db })
const PIN = '271828'
let played: Played
beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
afterEach(() => played.close())

async function aPerson(street: string) {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  await aReadyHolder(deps, user.userId, { holder: aHolderForm({ province: '北京市', city: '', county: '朝阳区', street, postalCode: '100022' }) })
  const post = async (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
  const buy = async () => {
    expect((await post('/v1/pay/balancePay', { orderType: 1, service: 'standard', payPassword: PIN })).code).toBe(200)
    const [made] = await db.query<{ id: string }>('select id from cards_cards where user_id = $1', [user.userId])
    return settleCard(deps, db, made!.id)
  }
  return { post, buy, balance: async () => (await readBalance(db, user.userId)).posted }
}

test.each(['世纪大道100号', '北京市朝阳区建国路88号1602室', `${'长安街'.repeat(12)}9号`])(
  'Stripe: a holder at %s, with one line or two, gets the card that is paid',
  async (street) => {
    played = await aStripeIssuer()
    replaceIssuers(deps, [played.issuer])
    const { buy, balance } = await aPerson(street)
    const card = await buy()
    expect([card.state, card.issuer, await balance()]).toEqual(['active', 'stripe', 100n * NANO_PER_USD - 1_199n * NANO_PER_CENT])
  },
)

test('Stripe: a programme that does not take the holder’s country refuses after the payment, and the money is back', async () => {
  played = await aStripeIssuer({ countries: ['US'] })
  replaceIssuers(deps, [played.issuer])
  const { buy, balance } = await aPerson('世纪大道100号')
  const card = await buy()
  expect([card.state, card.failReason, await balance()]).toEqual(['failed', 'country', 100n * NANO_PER_USD])
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('Lithic: a holder outside the United States is refused before anything is paid', async () => {
  played = await aLithicIssuer()
  replaceIssuers(deps, [played.issuer])
  const { post, balance } = await aPerson('世纪大道100号')
  expect(await post('/card/create', { type: 'standard' })).toMatchObject({ code: 3625, data: { reason: 'country' } })
  expect([played.asked(), await balance()]).toEqual([[], 100n * NANO_PER_USD])
})
