import { describe, expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { insertRule } from '../data.ts'
import { invitations } from '../index.ts'
import { readCurrentRule } from '../rules/rules.ts'
import { selectOpenReviews } from '../review/data.ts'
import { decideRewardReview } from '../review/decide-review.ts'
import { signalWeights } from '../settings.ts'
import { expectRewardSums, createInvitationHelpers, TEST_OPERATOR, ONE_USD } from '../testing/invitation-helpers.ts'

const db = await useTestDb({ max: 60 })
const signIn = defineFeature({ name: 'sign-in', authenticate: async (_deps, token) => ({ userId: token, sessionId: token }) })
const { call, deps } = createTestApp({ features: [invitations, payments, wallet, notices, signIn], db })
const hands = createInvitationHelpers(db, deps)
const { bring, pay, refund, dispute, endDispute, reconcile, paidBy, ripen, states, standing, set } = hands
// Users made here have paid at once and used nothing.
await set(signalWeights, { ...signalWeights.fallback, weights: { ...signalWeights.fallback.weights, no_use: 0, too_fast: 0, velocity: 0, refund_ratio: 0 } })
const move = (userId: string) => call('POST', '/v1/fission/invitationRewardWithdraw', {}, { token: userId, idempotencyKey: createId('key') })
const aRegisteredUser = () => createId('usr')
const original = await readCurrentRule(db)

describe('payments that count', () => {
  test('cash below the threshold brings nothing; payments add up to it', async () => {
    const ann = aRegisteredUser()
    const bob = await bring(ann)
    await pay(bob, 3n * ONE_USD)
    await reconcile(bob)
    expect(await states(ann)).toEqual([])
    await pay(bob, 2n * ONE_USD)
    await reconcile(bob)
    expect(await states(ann)).toEqual(['direct 2 pending'])
  })

  test('a user who was not invited brings nothing, and an inviter’s own payments nothing to the inviter', async () => {
    const ann = aRegisteredUser()
    await pay(ann, 50n * ONE_USD)
    await reconcile(ann)
    expect(await states(ann)).toEqual([])
  })

  test('fifty notices of one payment at once bring one reward', async () => {
    const ann = aRegisteredUser()
    const bob = await bring(ann)
    await pay(bob, 20n * ONE_USD)
    await Promise.all(Array.from({ length: 50 }, () => reconcile(bob)))
    expect(await states(ann)).toEqual(['direct 2 pending'])
    await ripen()
    await Promise.all(Array.from({ length: 10 }, () => reconcile(bob)))
    expect([await states(ann), await standing(ann)]).toEqual([['direct 2 available'], 2n * ONE_USD])
    await expectRewardSums(db)
  })
})

describe('a reward that has arisen', () => {
  test('is taken back by a refund before its time, and nothing was booked', async () => {
    const ann = aRegisteredUser()
    const { inviteeId, orderNo } = await paidBy(ann)
    await refund(orderNo, 16n * ONE_USD)
    await reconcile(inviteeId)
    expect([await states(ann), await standing(ann)]).toEqual([['direct 2 clawed_back refund'], 0n])
    await ripen()
    expect(await states(ann)).toEqual(['direct 2 clawed_back refund'])
  })

  test('is unchanged by a refund that leaves more than the threshold', async () => {
    const ann = aRegisteredUser()
    const { inviteeId, orderNo } = await paidBy(ann)
    await refund(orderNo, 15n * ONE_USD)
    await reconcile(inviteeId)
    expect(await states(ann)).toEqual(['direct 2 pending'])
  })

  test('is granted credit in the balance; a later refund leaves the account negative, and the next reward is netted', async () => {
    const ann = aRegisteredUser()
    const { inviteeId, orderNo } = await paidBy(ann)
    await ripen()
    expect((await move(ann)).data).toEqual({ amount: '2', balance: '2' })
    expect(await readBalance(db, ann)).toMatchObject({ grantedUnspent: 2n * ONE_USD, withdrawable: 0n })
    expect(await states(ann)).toEqual(['direct 2 paid'])
    await refund(orderNo, 20n * ONE_USD)
    await reconcile(inviteeId)
    expect([await states(ann), await standing(ann)]).toEqual([['direct 2 clawed_back refund'], -2n * ONE_USD])
    expect((await move(ann)).code).toBe(3404)
    await paidBy(ann)
    await paidBy(ann)
    await ripen()
    expect(await standing(ann)).toBe(2n * ONE_USD)
    expect((await move(ann)).data).toEqual({ amount: '2', balance: '4' })
    await expectRewardSums(db)
  })

  test.each([
    ['pending', false, false],
    ['available', true, false],
    ['paid', true, true],
  ])('a dispute of a %s reward takes it back once, a won one restores it once', async (state, isRipe, isMoved) => {
    const ann = aRegisteredUser()
    const { inviteeId, orderNo } = await paidBy(ann)
    if (isRipe) await ripen()
    if (isMoved) await move(ann)
    const before = await standing(ann)
    await dispute(orderNo, 20n * ONE_USD)
    await Promise.all(Array.from({ length: 10 }, () => reconcile(inviteeId)))
    expect([await states(ann), await standing(ann)]).toEqual([['direct 2 clawed_back refund'], isRipe ? before - 2n * ONE_USD : 0n])
    await endDispute(orderNo, true)
    await Promise.all(Array.from({ length: 10 }, () => reconcile(inviteeId)))
    expect([await states(ann), await standing(ann)]).toEqual([[`direct 2 ${state}`], before])
    await refund(orderNo, 20n * ONE_USD)
    await reconcile(inviteeId)
    await pay(inviteeId, 20n * ONE_USD)
    await reconcile(inviteeId)
    expect(await states(ann)).toEqual(['direct 2 clawed_back refund'])
    await expectRewardSums(db)
  })

  test('is moved once by twenty moves at once', async () => {
    const ann = aRegisteredUser()
    for (let n = 0; n < 3; n++) await paidBy(ann)
    await ripen()
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(ann)))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 3404)])
    expect((await readBalance(db, ann)).posted).toBe(6n * ONE_USD)
    await expectRewardSums(db)
  })

  test('the database refuses a skipped state, other figures and a second restoration', async () => {
    const ann = aRegisteredUser()
    await paidBy(ann)
    const change = (text: string) => db.owner.query(`update invitations_rewards set ${text} where inviter_id = $1`, [ann])
    await expect(change(`state = 'paid'`)).rejects.toThrow('cannot go')
    await expect(change('amount_nano = 9')).rejects.toThrow('frozen')
    await change(`state = 'clawed_back'`)
    await expect(change(`state = 'pending'`)).rejects.toThrow('restored')
    await expect(db.query('delete from invitations_rewards')).rejects.toThrow('permission denied')
    await db.owner.query(`update invitations_budgets set used_nano = used_nano - 2000000000 where scope in ($1, 'programme')`, [`user:${ann}`])
  })
})

describe('rules and caps', () => {
  const withRule = async (change: Partial<Awaited<ReturnType<typeof readCurrentRule>>>) => {
    const now = await readCurrentRule(db)
    return transact(db, TEST_OPERATOR, async (tx) => {
      const [{ at } = { at: new Date() }] = await tx.query<{ at: Date }>('select clock_timestamp() as at')
      return insertRule(tx, { ...now, ...change, effectiveAt: new Date(at.getTime() - 1) })
    })
  }

  test('twenty rewards at once at the programme’s cap come to exactly the cap', async () => {
    const [{ used } = { used: 0n }] = await db.query<{ used: bigint }>(`select used_nano as used from invitations_budgets where scope = 'programme'`)
    const version = await withRule({ programmeCapNano: used + 14n * ONE_USD })
    const inviters = Array.from({ length: 20 }, aRegisteredUser)
    const people = await Promise.all(inviters.map((inviter) => bring(inviter, aRegisteredUser(), version)))
    await Promise.all(people.map((one) => pay(one, 20n * ONE_USD)))
    await Promise.all(people.map(reconcile))
    const all = (await Promise.all(inviters.map(states))).flat().toSorted()
    expect(all).toEqual([...Array.from({ length: 7 }, () => 'direct 2 pending'), ...Array.from({ length: 13 }, () => 'direct 2 refused programme_cap')])
    await withRule(original)
    await expectRewardSums(db)
  })

  test('an inviter’s month has its own cap, and a reward that comes to nothing leaves its place', async () => {
    const ann = aRegisteredUser()
    const version = await withRule({ inviterCapNano: 4n * ONE_USD })
    const people = await Promise.all(Array.from({ length: 4 }, () => bring(ann, aRegisteredUser(), version)))
    const orders = await Promise.all(people.map((one) => pay(one, 20n * ONE_USD)))
    for (const one of people.slice(0, 3)) await reconcile(one)
    expect(await states(ann)).toEqual(['direct 2 pending', 'direct 2 pending', 'direct 2 refused inviter_cap'])
    expect((await call('GET', '/invitation/info', {}, { token: ann })).data.fullUntil).toMatch(/^\d{4}-\d{2}-01$/)
    await refund(orders[0]!, 20n * ONE_USD)
    await reconcile(people[0]!)
    await reconcile(people[3]!)
    expect((await states(ann)).at(-1)).toBe('direct 2 pending')
    await withRule(original)
    await expectRewardSums(db)
  })

  test('a relation keeps the rules that it began with; a new one has the new ones', async () => {
    const ann = aRegisteredUser()
    const old = await bring(ann)
    const version = await withRule({ rewardNano: 3n * ONE_USD })
    const answer = await call('GET', '/invitation/info', {}, { token: ann })
    expect(answer.data.rules).toMatchObject({ version, reward: '3' })
    const next = await bring(ann, aRegisteredUser(), version)
    for (const one of [old, next]) {
      await pay(one, 20n * ONE_USD)
      await reconcile(one)
    }
    expect(await states(ann)).toEqual(['direct 2 pending', 'direct 3 pending'])
    await withRule(original)
  })

  test('second level, tiers and cashback are off; switched on, each has its row, its rate and its list', async () => {
    const [top, ann] = [aRegisteredUser(), aRegisteredUser()]
    await bring(top, ann)
    await paidBy(ann)
    expect(await states(top)).toEqual([])
    const version = await withRule({
      secondNano: ONE_USD / 2n,
      cashbackPercent: '10',
      tiers: [
        { from: 1, reward: '2' },
        { from: 2, reward: '2.5' },
      ],
    })
    const bob = await bring(ann, aRegisteredUser(), version)
    await pay(bob, 20n * ONE_USD)
    await reconcile(bob)
    expect(await states(ann)).toEqual(['direct 2 pending', 'direct 2.5 pending', 'cashback 2 pending'])
    expect(await states(top)).toEqual(['second 0.5 pending'])
    const rates = async (path: string, token: string) =>
      (await call('GET', `/v1/fission/${path}`, {}, { token })).data.rowList.map((row: { rate: string }) => row.rate)
    expect(await rates('listInvitation', ann)).toEqual(['tier 2: 2.5', '2 each'])
    expect(await rates('listTieredInvitation', ann)).toEqual(['tier 2: 2.5'])
    expect(await rates('listCashback', ann)).toEqual(['10% of 20'])
    expect(await rates('listSecondInvitation', top)).toEqual(['0.5 each'])
    // a refund that leaves enough for the direct reward takes back the cashback of the payment
    const paidIn = await pay(bob, 50n * ONE_USD)
    await reconcile(bob)
    await refund(paidIn, 49n * ONE_USD)
    await reconcile(bob)
    expect(await states(ann)).toEqual(['direct 2 pending', 'direct 2.5 pending', 'cashback 2 pending'])
    await refund(paidIn, ONE_USD)
    const [first] = await db.query<{ orderNo: string }>(`select order_no from invitations_rewards where invitee_id = $1 limit 1`, [bob])
    await refund(first!.orderNo, 2n * ONE_USD)
    await reconcile(bob)
    expect((await states(ann)).at(-1)).toBe('cashback 2 pending')
    await refund(await pay(bob, ONE_USD), 2n * ONE_USD)
    await reconcile(bob)
    expect(await states(ann)).toEqual(['direct 2 pending', 'direct 2.5 pending', 'cashback 2 clawed_back refund'])
    await withRule(original)
    await ripen()
    await expectRewardSums(db)
  })
})

describe('review', () => {
  test('a hold stops later rewards of that inviter until a person decides; a refused one leaves its row', async () => {
    const ann = aRegisteredUser()
    await set(signalWeights, { ...signalWeights.fallback, holdAt: 0 })
    await paidBy(ann)
    await set(signalWeights, { ...signalWeights.fallback, weights: {} })
    await paidBy(ann)
    expect(await states(ann)).toEqual(['direct 2 held review', 'direct 2 held review'])
    expect((await call('GET', '/invitation/info', {}, { token: ann })).data).toMatchObject({ underReview: true, heldNumber: 2 })
    await ripen()
    expect(await standing(ann)).toBe(0n)
    expect((await selectOpenReviews(db)).find((row) => row.inviterId === ann)).toMatchObject({ rewards: 2, amount: 4n * ONE_USD })
    expect(await decideRewardReview(deps, { kind: 'operator', id: ann }, { inviterId: ann, decision: 'release', reason: 'my own rewards' })).toBe(false)
    expect(await decideRewardReview(deps, TEST_OPERATOR, { inviterId: ann, decision: 'release', reason: 'known to us, all right' })).toBe(true)
    expect(await decideRewardReview(deps, TEST_OPERATOR, { inviterId: ann, decision: 'refuse', reason: 'and once more, late' })).toBe(false)
    await ripen()
    expect([await states(ann), await standing(ann)]).toEqual([['direct 2 available', 'direct 2 available'], 4n * ONE_USD])
    await expectRewardSums(db)
  })

  test('a reward waits for a person where neither the payer nor any papers of the invited user are known', async () => {
    await set(signalWeights, { ...signalWeights.fallback, weights: { ...signalWeights.fallback.weights, too_fast: 0 } })
    const became = async (mark?: 'payer' | 'person') => {
      const ann = aRegisteredUser()
      const bob = await bring(ann)
      await pay(bob, 20n * ONE_USD)
      await db.owner.query('update risk_marks set kind = coalesce($2, kind), subject = case when $2 is null then $3 else subject end where subject = $1', [
        ...[bob, mark ?? null, aRegisteredUser()],
      ])
      await reconcile(bob)
      return states(ann)
    }
    expect(await became()).toEqual(['direct 2 held review'])
    expect(await became('payer')).toEqual(['direct 2 pending'])
    expect(await became('person')).toEqual(['direct 2 pending'])
  })

  test('a ring of people who brought each other is refused, its row and its sign stay', async () => {
    await set(signalWeights, signalWeights.fallback)
    const ring = Array.from({ length: 4 }, aRegisteredUser)
    for (let n = 0; n < 4; n++) await bring(ring[n]!, ring[(n + 1) % 4]!)
    await pay(ring[0]!, 20n * ONE_USD)
    await reconcile(ring[0]!)
    expect(await states(ring[3]!)).toEqual(['direct 2 refused signals'])
    expect(
      await db.query('select s.signal from invitations_signals s join invitations_rewards r on r.id = s.reward_id where r.inviter_id = $1', [ring[3]]),
    ).toContainEqual({ signal: 'cycle' })
    await expectRewardSums(db)
  })
})
