import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { cards } from '../index.ts'
import { replaceIssuers } from '../vendors/index.ts'
import { FOREIGN_MERCHANT, createBookIssuer, HOME_MERCHANT } from '../testing/book-issuer.ts'
import { aFundedCard, createDecisionCaller, auditBooks, deliverNotices, readCardMoney, advanceWaitingWork } from '../testing/funded-card.ts'
import { repeatForRelease } from '../testing/counts.ts'
import type { FundedCard } from '../testing/funded-card.ts'
import { decideAuthorization } from './decide.ts'

const db = await useTestDb({ max: 30 })
const { deps } = createTestApp({ features: [cards, account, notices, risk], db })
const issuer = createBookIssuer()
replaceIssuers(deps, [issuer])
const ask = createDecisionCaller(deps, issuer)

let made: FundedCard
let ref: string
beforeEach(async () => {
  made = await aFundedCard(deps, db, { issuer, options: { dollars: 50 } })
  ref = made.card.cardRef!
})
const money = () => readCardMoney(db, made.card.id)
const go = async () => {
  await deliverNotices(deps, issuer)
  await advanceWaitingWork(deps, db, issuer)
  expect(await auditBooks(db, issuer)).toEqual([])
}
const decline = async (minor: bigint, how = {}) => (await issuer.authorize(ref, minor, { decide: ask, ...how })).reason

describe('C3: an authorisation from hold to capture', () => {
  test('is held at once, captured, and the rest freed', async () => {
    const auth = await issuer.authorize(ref, 2000n, { decide: ask })
    expect(await money()).toMatchObject({ available: 3000, held: 2000 })
    issuer.capture(auth, 1800n)
    await go()
    expect(await money()).toEqual({ posted: 3200, held: 0, available: 3200, owed: 0 })
  })
  test('is captured in three parts', async () => {
    const auth = await issuer.authorize(ref, 3000n, { decide: ask })
    issuer.capture(auth, 1000n, false)
    issuer.capture(auth, 500n, false)
    await deliverNotices(deps, issuer)
    expect(await money()).toMatchObject({ held: 1500 })
    issuer.capture(auth, 1500n)
    await go()
    expect(await money()).toMatchObject({ posted: 2000, held: 0 })
  })
  test('captured above the hold takes what is there, then leaves a debt that the next recharge pays', async () => {
    const auth = await issuer.authorize(ref, 4000n, { decide: ask })
    issuer.capture(auth, 6000n)
    await go()
    expect(await money()).toEqual({ posted: 0, held: 0, available: 0, owed: 1000 })
    expect(await decline(100n)).toBe('card_in_debt')
  })
  test('a reversal of the whole costs a dollar, once; one in parts, an expiry and what a capture releases cost nothing', async () => {
    const whole = await issuer.authorize(ref, 2000n, { decide: ask })
    issuer.reverse(whole)
    await go()
    expect(await money()).toEqual({ posted: 4900, held: 0, available: 4900, owed: 0 })
    const parts = await issuer.authorize(ref, 2000n, { decide: ask })
    issuer.reverse(parts, 100n)
    await deliverNotices(deps, issuer)
    expect(await money()).toMatchObject({ held: 1900, posted: 4900 })
    issuer.reverse(parts)
    issuer.expire(await issuer.authorize(ref, 700n, { decide: ask }))
    issuer.capture(await issuer.authorize(ref, 700n, { decide: ask }), 300n)
    issuer.reverse(await issuer.authorize(ref, 0n, { decide: ask }))
    await go()
    expect(await money()).toEqual({ posted: 4600, held: 0, available: 4600, owed: 0 })
  })
  test('that expired can be captured after all', async () => {
    const auth = await issuer.authorize(ref, 2000n, { decide: ask })
    issuer.expire(auth)
    await go()
    expect(await money()).toMatchObject({ available: 5000 })
    issuer.capture(auth, 2000n)
    await go()
    expect(await money()).toMatchObject({ posted: 3000, held: 0 })
  })
  test('is not needed for a forced capture; a refund, linked or not, is less two percent and can be taken back', async () => {
    issuer.post(ref, 'capture', 1000n)
    issuer.post(ref, 'refund', 500n)
    await go()
    expect(await money()).toMatchObject({ posted: 5000 - 1000 + 500 - 10 })
    issuer.post(ref, 'refund_reversal', 500n)
    await go()
    expect(await money()).toMatchObject({ posted: 4000 })
  })
  test('abroad costs one percent, held with the sum', async () => {
    const auth = await issuer.authorize(ref, 2000n, { decide: ask, merchant: FOREIGN_MERCHANT })
    expect(await money()).toMatchObject({ held: 2020 })
    issuer.capture(auth, 2000n)
    await go()
    expect(await money()).toMatchObject({ posted: 2980, held: 0 })
  })
  test('an increment is held too, or refused while the first stays', async () => {
    const auth = await issuer.authorize(ref, 2000n, { decide: ask })
    await issuer.authorize(ref, 1000n, { decide: ask, again: auth })
    expect(await money()).toMatchObject({ held: 3000 })
    await issuer.authorize(ref, 9000n, { decide: ask, again: auth, overrule: false })
    await go()
    expect(await money()).toMatchObject({ held: 3000 })
  })
  test('of zero checks the card and holds nothing', async () => {
    const auth = await issuer.authorize(ref, 0n, { decide: ask })
    expect(auth.approved).toBe(true)
    issuer.expire(auth)
    await go()
    expect(await money()).toMatchObject({ posted: 5000, held: 0 })
  })
  test('is approved in part where the merchant takes a part', async () => {
    const auth = await issuer.authorize(ref, 8000n, { decide: ask, partial: true })
    expect(auth.approvedMinor).toBe(5000n)
    issuer.capture(auth, 5000n)
    await go()
    expect(await money()).toMatchObject({ posted: 0, owed: 0 })
  })
  test.each([
    ['insufficient_funds', 6000n, {}],
    ['merchant_blocked', 100n, { merchant: { ...HOME_MERCHANT, mcc: '7995' } }],
    ['card_type', 100n, { merchant: { ...HOME_MERCHANT, name: 'NETFLIX.COM' } }],
  ])('is declined: %s', async (reason, minor, how) => {
    expect(await decline(minor, how)).toBe(reason)
    await go()
    expect(await money()).toMatchObject({ posted: 5000, held: 0 })
  })
  test('is declined above what a month allows', async () => {
    const rich = await aFundedCard(deps, db, { issuer, options: { dollars: 150 } })
    const first = await issuer.authorize(rich.card.cardRef!, 9000n, { decide: ask })
    expect(first.approved).toBe(true)
    expect((await issuer.authorize(rich.card.cardRef!, 1001n, { decide: ask })).reason).toBe('monthly_limit')
    expect((await issuer.authorize(rich.card.cardRef!, 1000n, { decide: ask })).approved).toBe(true)
  })
})

describe('questions about one authorisation', () => {
  const question = (minor = 1000n) => ({ ref: `one ${ref}`, cardRef: ref, minor, increment: false, partialAllowed: true, merchant: HOME_MERCHANT })
  const put = (event: string, minor?: bigint) =>
    decideAuthorization(deps, issuer, { eventId: `${ref}${event}`, asked: question(minor), deadlineMs: PATIENCE_MS })

  test('the same question many times has one answer and one hold', async () => {
    expect(await Promise.all(Array.from({ length: 4 }, () => put('a')))).toEqual(Array(4).fill({ approved: true }))
    expect(await money()).toMatchObject({ held: 1000 })
  })
  test('an approved authorisation grows with each further question, by whatever name, and by no more than the card has', async () => {
    const said = async (event: string, minor: bigint) => (await put(event, minor)).approved
    expect([await said('a', 100n), await said('a', 90_000n), await said('b', 90_000n)]).toEqual([true, false, false])
    expect(await money()).toMatchObject({ held: 100 })
    expect([await said('c', 100n), await said('c', 2000n), await said('d', 2800n)]).toEqual([true, true, true])
    expect(await money()).toMatchObject({ held: 5000, available: 0 })
    // repeated, each has its own answer
    expect([await said('a', 100n), await said('a', 90_000n), await said('c', 2000n), await said('e', 100n)]).toEqual([true, false, true, false])
    expect(await money()).toMatchObject({ held: 5000 })
  })
  test('an authorisation that was released or refused declines further questions', async () => {
    const auth = await issuer.authorize(ref, 100n, { decide: ask })
    issuer.reverse(auth)
    await go()
    const again = await decideAuthorization(deps, issuer, { eventId: `${ref}a`, asked: { ...question(300n), ref: auth.ref }, deadlineMs: PATIENCE_MS })
    expect(again).toEqual({ approved: false, reason: 'issuer_rule' })
    expect(await money()).toMatchObject({ held: 0 })
    const refused = { ...question(), ref: `no ${ref}` }
    for (const [event, mcc] of [
      ['c', '7995'],
      ['d', HOME_MERCHANT.mcc],
    ] as const)
      expect(
        await decideAuthorization(deps, issuer, {
          eventId: `${ref}${event}`,
          asked: { ...refused, merchant: { ...HOME_MERCHANT, mcc } },
          deadlineMs: PATIENCE_MS,
        }),
      ).toEqual({
        approved: false,
        reason: 'merchant_blocked',
      })
  })
})

test('events of an authorisation in any order end in the same book', async () => {
  for (let seed = 1; seed <= chooseRounds(6, 200); seed++) {
    const { card } = await aFundedCard(deps, db, { issuer, options: { dollars: 50 } })
    const auth = await issuer.authorize(card.cardRef!, 3000n, { decide: ask })
    issuer.capture(auth, 1000n, false)
    issuer.reverse(auth, 500n)
    issuer.capture(auth, 1700n)
    issuer.post(card.cardRef!, 'refund', 300n, HOME_MERCHANT, auth.ref)
    issuer.post(card.cardRef!, 'capture', 250n, FOREIGN_MERCHANT)
    await deliverNotices(deps, issuer, (all) => [...all, ...all].toSorted((a, b) => hash(a.eventId, seed) - hash(b.eventId, seed)))
    await advanceWaitingWork(deps, db, issuer)
    expect(await auditBooks(db, issuer)).toEqual([])
    expect(await readCardMoney(db, card.id)).toEqual({ posted: 5000 - 1000 - 1700 + 300 - 6 - 250 - 3, held: 0, available: 2341, owed: 0 })
  }
})
const hash = (text: string, seed: number) => [...text].reduce((all, sign) => (all * 31 + sign.charCodeAt(0) * seed) % 9973, seed)

test('C5: a hundred at once on one card are approved up to exactly what it has', repeatForRelease(50), async () => {
  const all = await Promise.all(Array.from({ length: 100 }, () => issuer.authorize(ref, 300n, { decide: ask })))
  expect(all.filter((auth) => auth.approved).length).toBe(16)
  await go()
  expect(await money()).toMatchObject({ posted: 5000, held: 4800 })
})

test('C4: a late answer declines and holds nothing; the issuer’s own decision is what is held', repeatForRelease(50), async () => {
  const late = ({ eventId, asked }: Parameters<typeof ask>[0]) => decideAuthorization(deps, issuer, { eventId, asked, deadlineMs: 0 })
  expect((await issuer.authorize(ref, 1000n, { decide: late })).reason).toBe('no_answer')
  await go()
  expect(await money()).toMatchObject({ held: 0 })
  const approved = await issuer.authorize(ref, 1000n, { decide: late, overrule: true })
  await go()
  expect(await money()).toMatchObject({ held: 1000 })
  issuer.capture(approved, 1000n)
  await issuer.authorize(ref, 700n, { decide: ask, overrule: false })
  expect(await money()).toMatchObject({ held: 1700 })
  await go()
  expect(await money()).toMatchObject({ posted: 4000, held: 0 })
})
