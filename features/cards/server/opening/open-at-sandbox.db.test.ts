import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
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
import { selectCardById } from '../cards/data.ts'
import { workCard } from '../lifecycle/work-cards.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { billingAddress } from '../settings.ts'
import { settleCard } from '../testing/funded-card.ts'
import { carryOut, readShopOrder } from '#stand-ins/card-network/shop/act.ts'
import { aPlayedSandbox } from '../testing/play-sandbox.ts'

// Opening at an issuer that validates its input: the adapter, the wire format and the shops' address check are the real ones.
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [cards, payments, identity, wallet, account, notices, risk], db })
const played = await aPlayedSandbox()
replaceIssuers(deps, [played.issuer])
afterAll(() => played.close())
beforeAll(async () => {
  await cards.start?.(deps, new Set())
})
const PIN = '271828'
const row = async (id: string) => (await selectCardById(db, id))!

async function aBuyer(street: string, email = '') {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId })
  await aReadyHolder(deps, user.userId, { holder: aHolderForm({ province: '北京市', city: '', county: '朝阳区', street, email, postalCode: '100022' }) })
  const post = async (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
  expect((await post('/v1/pay/balancePay', { orderType: 1, service: 'standard', payPassword: PIN })).code).toBe(200)
  const [made] = await db.query<{ id: string }>('select id from cards_cards where user_id = $1', [user.userId])
  const shown = async () => (await post('/card/info', { id: made!.id })).data
  const balance = async () => (await readBalance(db, user.userId)).posted
  return { id: made!.id, post, shown, balance }
}

/** A purchase at a shop with a postal code as a cardholder types it; the shop's answer before the platform is asked. */
async function typedAt(ref: string, postal: string): Promise<string | undefined> {
  const { number, cvv } = played.bank.secretsOf(ref)
  const card = await played.issuer.card(ref)
  const form = { shop: 'chatgpt', number, cvv, expiry: `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`, postal, sum: '5.00' }
  const read = readShopOrder(played.company, new URLSearchParams(form), 'visit')
  if ('problem' in read) throw new Error(read.problem)
  played.hear(() => ({ approved: true }))
  return played.bank.authorizationOf(await carryOut(played.company, { ...read.order, how: 'hold' })).reason
}

test.each(['世纪大道100号', '北京市朝阳区建国路88号1602室', '１６０２室建国路88号', `${'长安街'.repeat(12)}9号`])(
  'a holder at %s gets a card; its page shows what the issuer holds, and that is approved at a shop',
  async (street) => {
    const { id, shown } = await aBuyer(street)
    const card = await settleCard(deps, db, id)
    expect([card.state, card.addressKnown]).toEqual(['active', true])
    const { billingAddress: address } = await shown()
    expect(address).toMatchObject({ state: 'Bei Jing Shi', postalCode: '100022', country: 'CN' })
    const held = (await played.issuer.card(card.cardRef!)).billing!
    expect(address).toEqual({ ...held, line2: held.line2 ?? '' })
    expect(`${address.line1} ${address.line2}`).toMatch(/\d+/)
    expect(await typedAt(card.cardRef!, address.postalCode)).toBeUndefined()
    expect(await typedAt(card.cardRef!, '19801')).toBe('wrong_details')
  },
)

test('an address that is too long for the issuer is refused before anything is paid', async () => {
  const user = await aUser(deps)
  await aFundedUser(db, { userId: user.userId })
  await aReadyHolder(deps, user.userId, { holder: aHolderForm({ street: `${'长安街'.repeat(36)}9号` }) })
  expect(await call('POST', '/card/create', { type: 'standard' }, { token: user.token })).toMatchObject({ code: 3625, data: { reason: 'address' } })
})

describe('the billing address', () => {
  test('is the programme’s own only where the setting says that the issuer agreed', async () => {
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, billingAddress, { ...billingAddress.fallback, agreed: true }))
    const { id, shown } = await aBuyer('世纪大道100号')
    const card = await settleCard(deps, db, id)
    await transact(db, SYSTEM, (tx) => deps.settings.set(tx, billingAddress, billingAddress.fallback))
    const { agreed: _, ...programme } = billingAddress.fallback
    expect([(await shown()).billingAddress, await typedAt(card.cardRef!, '19801')]).toEqual([programme, undefined])
    // The identity check receives the holder's own address.
    const [holder] = played.company.store.all('holder', 1)
    expect([holder!.address.country, holder!.billing?.postalCode]).toEqual(['CN', '19801'])
  })

  test('a change reaches the issuer, or is refused and nothing is changed', async () => {
    const { id, post, shown } = await aBuyer('世纪大道100号')
    const { cardRef: ref } = await settleCard(deps, db, id)
    const wish = { id, line1: '1 Other St', city: 'Shang Hai', state: 'Shang Hai', postalCode: '200000' }
    expect((await post('/card/update', wish)).code).toBe(200)
    expect(await typedAt(ref!, '200000')).toBeUndefined()
    expect(await typedAt(ref!, '100022')).toBe('wrong_details')
    replaceIssuers(deps, [{ ...played.issuer, setBilling: undefined } as never])
    expect((await post('/card/update', { ...wish, postalCode: '300000' })).code).toBe(3626)
    replaceIssuers(deps, [played.issuer])
    expect((await shown()).billingAddress.postalCode).toBe('200000')
  })

  test('an unclear answer shows no address until the issuer has said which one it holds', async () => {
    const { id, post, shown } = await aBuyer('世纪大道100号')
    await settleCard(deps, db, id)
    played.misbehave('reset-after')
    const wish = { id, line1: '1 Other St', city: 'Shang Hai', state: 'Shang Hai', postalCode: '200000' }
    expect((await post('/card/update', wish)).code).toBe(3613)
    expect((await shown()).billingAddress).toBeNull()
    played.behave()
    await settleCard(deps, db, id)
    expect((await shown()).billingAddress).toMatchObject({ line1: '1 Other St', postalCode: '200000' })
  })
})

describe('an opening without a clear answer', () => {
  const later = (id: string, hours: number) =>
    db.owner.query(`update cards_cards set asked_at = asked_at - make_interval(hours => $2) where id = $1`, [id, hours])

  test('C12: is asked about by key, becomes the operators’ after a day, and is never guessed: the card that was made is found', async () => {
    const { id, shown, balance } = await aBuyer('世纪大道100号', 'holder+lost@example.com')
    played.misbehave('reset-after')
    await workCard(deps, id)
    await workCard(deps, id)
    expect([(await row(id)).stuck, (await shown()).pace]).toEqual(['retryable', 'normal'])
    played.behave()
    // The card is made, but the response is lost.
    await workCard(deps, id)
    expect((await row(id)).stuck).toBe('unknown')
    played.misbehave('error-before')
    await later(id, 25)
    await workCard(deps, id)
    expect([await row(id), (await shown()).pace]).toMatchObject([{ state: 'opening', stuck: 'unknown' }, 'operators'])
    const work = () => db.query(`select supplier, kind from supplier_waits where work_at is not null and subject like 'order:%'`)
    expect(await work()).toEqual([{ supplier: 'sandbox', kind: 'unknown' }])
    played.behave()
    expect([(await settleCard(deps, db, id)).state, await work()]).toEqual(['active', []])
    expect(await balance()).toBe((10_000n - 1_199n) * (NANO_PER_USD / 100n))
  })

  test('that made no card within a day makes none any more, and the money is back', async () => {
    const { id, shown, balance } = await aBuyer('世纪大道100号')
    played.misbehave('error-before')
    for (let tries = 0; tries < 3; tries++) await workCard(deps, id)
    expect((await row(id)).state).toBe('opening')
    await later(id, 25)
    played.behave()
    const before = played.company.store.all('card', 1000).length
    expect((await settleCard(deps, db, id)).state).toBe('failed')
    expect([(await shown()).failReason, (await shown()).failure.next, await balance()]).toEqual(['issuer_away', 'again', 100n * NANO_PER_USD])
    expect(played.company.store.all('card', 1000)).toHaveLength(before)
    expect((await verifyLedger(db)).problems).toEqual([])
  })
})
