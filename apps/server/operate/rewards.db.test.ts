import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { aReward, aRelation, recordPayer } from '#features/invitations/server/builders.ts'
import { aPaidRechargeOrder, aWithdrawal, createTestPayments } from '#features/payments/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { storeMarks, hashMark, normalizeMailbox, selectStaff, toStaffSubject } from '#features/risk/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { features } from '../features.ts'

// Rewards as operators see and decide them, with the real code of every feature.
const db = await useTestDb()
let url = ''
const overrides = { publicUrl: () => url }
const site = createTestApp({ features, db, overrides })
url = await site.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => site.app.close())
const { call, deps, settle } = createTestApp({ features, db, overrides, surface: 'operators' })
const WHY = { reasonCode: 'fraud', reason: 'a reason of some length' }
const preview = (who: { token: string }, name: string, input: object) => call('POST', `/operator/do/${name}/preview`, input, { token: who.token })
async function run(who: { token: string }, name: string, input: object) {
  const { data } = await preview(who, name, input)
  const asked = { ...input, ...WHY, expects: data?.expects ?? 'a'.repeat(64) }
  return call('POST', `/operator/do/${name}`, asked, { token: who.token, idempotencyKey: createId('key') })
}
const readRewards = (path: string, input: object = {}) => call('GET', `/operator/reward/${path}`, input, { token: owner.token })
const selectRewardStates = async (inviterId: string) =>
  (await db.query<{ state: string }>('select state from invitations_rewards where inviter_id = $1 order by id', [inviterId])).map(({ state }) => state)
/** A guest brought by the inviter, with a verified payer and a payment. */
async function aGuest(inviterId: string): Promise<BuiltUser> {
  const guest = await aUser(deps)
  await aRelation(db, inviterId, guest.userId)
  await recordPayer(db, guest.userId)
  await createTestPayments(db.owner).pay(guest.userId, 20_000_000_000n)
  return guest
}

let owner: BuiltOperator
let risk: BuiltOperator
beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(deps, new Set(['api']))
  await chooseCaptcha(deps, 'off')
  owner = await anOperator(deps, ['owner'])
  risk = await anOperator(deps, ['risk'])
})

async function payWith(payer: string, userId: string): Promise<void> {
  await aPaidRechargeOrder(deps, { userId, payer })
  await settle()
}

test('a payer or payout account that both share is found by payments and withdrawals, drawn as a graph, refused', async () => {
  const [ann, bob, cat] = [await aUser(deps), await aUser(deps), await aUser(deps)]
  await payWith('one-card', ann.userId)
  for (const { userId } of [bob, cat]) await aRelation(db, ann.userId, userId)
  await payWith('one-card', bob.userId)
  await payWith('another-card', cat.userId)
  expect((await selectRewardStates(ann.userId)).toSorted()).toEqual(['pending', 'refused'])

  for (const { userId } of [ann, cat]) {
    await aFundedUser(db, { userId, purchased: 60_000_000_000n })
    await aPayPassword(deps, userId, '849371')
    await aWithdrawal(deps, { userId, amount: '20', alipay: userId === ann.userId ? 'Wang@example.com' : 'wang@EXAMPLE.com' })
  }
  const { data } = await readRewards('review', { userId: ann.userId })
  const marks = data.graph.nodes.filter((node: { kind: string }) => node.kind === 'mark').map((node: { id: string }) => node.id.split(':')[1])
  expect(new Set(marks)).toEqual(new Set(['payer', 'payout']))
  const edges = data.graph.edges.map(
    ({ from, signal }: { from: string; signal: string }) => `${signal} ${[ann, bob, cat].findIndex((one) => one.userId === from)}`,
  )
  expect(edges.toSorted()).toEqual(['invited 0', 'invited 0', 'same_payer 0', 'same_payer 1', 'same_payout 0', 'same_payout 2'].toSorted())
  expect(data.rewards.find((row: { inviteeId: string }) => row.inviteeId === bob.userId)).toMatchObject({
    state: 'refused',
    signals: expect.arrayContaining([{ signal: 'same_payer', weight: 100, facts: { inviter: 1, others: 0 } }]),
  })
  // No field contains a card, an account or a contact.
  for (const secret of ['one-card', 'wang@', ...[ann, bob, cat].map(({ email }) => email)]) expect(JSON.stringify(data).toLowerCase()).not.toContain(secret)
})

test('the platform’s own people earn nothing: an operator’s mailbox in any spelling, and a payer with an operator’s card', async () => {
  const insider = await aUser(deps, { email: 'li.lei@example.com' })
  await storeMarks(db, insider.userId, { marks: [hashMark(deps, 'mailbox', normalizeMailbox(insider.email))], now: new Date() })
  await storeMarks(db, toStaffSubject('opr_1'), { marks: [hashMark(deps, 'mailbox', normalizeMailbox('LiLei+work@example.com'))], now: new Date() })
  const stranger = await aUser(deps)
  await storeMarks(db, insider.userId, { marks: [hashMark(deps, 'payer', 'a card')], now: new Date() })
  await storeMarks(db, stranger.userId, { marks: [hashMark(deps, 'payer', 'a card'), hashMark(deps, 'place', 'an office')], now: new Date() })
  const neighbour = await aUser(deps)
  await storeMarks(db, neighbour.userId, { marks: [hashMark(deps, 'place', 'an office')], now: new Date() })
  await storeMarks(db, toStaffSubject('opr_1'), { marks: [hashMark(deps, 'place', 'an office')], now: new Date() })
  expect(new Set(await selectStaff(db, [insider.userId, stranger.userId, neighbour.userId]))).toEqual(new Set([insider.userId, stranger.userId]))
  const guest = await aGuest(insider.userId)
  await transact(db, { kind: 'operator', id: 'test' }, (tx) => tx.emit('order.paid', { userId: guest.userId }))
  await settle()
  expect(await selectRewardStates(insider.userId)).toContain('refused')
})

test('hold stops an unpaid reward, release lets it run, refuse ends it; no operator decides about themselves', async () => {
  const ann = await aUser(deps)
  const guest = await aGuest(ann.userId)
  await transact(db, { kind: 'operator', id: 'test' }, (tx) => tx.emit('order.paid', { userId: guest.userId }))
  await settle()
  expect(await selectRewardStates(ann.userId)).toEqual(['pending'])
  const { data } = await preview(risk, 'reward.hold', { user: ann.email })
  expect(data.shown.changes).toEqual(
    expect.arrayContaining([
      { name: 'underReview', before: false, after: true },
      { name: 'held', before: 0, after: 1 },
      { name: 'heldAmount', before: '0', after: '2' },
    ]),
  )
  expect(await selectRewardStates(ann.userId)).toEqual(['pending'])
  expect((await run(risk, 'reward.hold', { user: ann.userId })).data.state).toBe('done')
  expect((await readRewards('reviews')).data.reviews).toContainEqual(
    expect.objectContaining({ inviterId: ann.userId, rewards: 1, amount: '2', openedBy: `operator:${risk.id}` }),
  )
  expect((await run(risk, 'reward.hold', { user: ann.userId })).status).toBe(404)
  expect((await run(risk, 'reward.release', { user: ann.userId })).data.state).toBe('done')
  expect(await selectRewardStates(ann.userId)).toEqual(['pending'])
  await run(risk, 'reward.hold', { user: ann.userId })
  const self = await anOperator(deps, ['risk'], { mail: ann.email })
  expect((await run(self, 'reward.release', { user: ann.userId })).code).toBe(5012)
  expect((await run(await anOperator(deps, ['support']), 'reward.refuse', { user: ann.userId })).status).toBe(403)
  expect((await run(risk, 'reward.refuse', { user: ann.userId })).data.state).toBe('done')
  expect(await selectRewardStates(ann.userId)).toEqual(['refused'])
  expect((await readRewards('review', { userId: ann.userId })).data.past.map((one: { decision: string; by: string }) => [one.decision, one.by])).toEqual([
    ['refuse', `operator:${risk.id}`],
    ['release', `operator:${risk.id}`],
  ])
})

test('changed rules are a new version from a future time; values left out stay', async () => {
  const effectiveAt = new Date(Date.now() + 3_600_000).toISOString()
  const wish = { effectiveAt, reward: '2.5', cashbackPercent: '1' }
  const { data } = await preview(owner, 'reward.rules', wish)
  expect(data.shown.changes).toEqual(
    expect.arrayContaining([
      { name: 'version', before: 1, after: 2 },
      { name: 'reward', before: '2', after: '2.5' },
      { name: 'threshold', before: '5', after: '5' },
      { name: 'cashbackPercent', before: null, after: '1' },
    ]),
  )
  await db.query(`update backoffice_operators set roles = '{support}' where 'owner' = any(roles) and id <> $1`, [owner.id])
  expect((await run(owner, 'reward.rules', wish)).data).toMatchObject({ state: 'done', result: { version: 2 } })
  expect((await run(owner, 'reward.rules', { effectiveAt: '2026-01-01T00:00:00Z' })).status).toBe(400)
  expect((await run(owner, 'reward.rules', { effectiveAt, reward: '2.005' })).status).toBe(400)
  expect((await readRewards('rules')).data.versions.map((one: { version: number; reward: string }) => [one.version, one.reward])).toEqual([
    [2, '2.5'],
    [1, '2'],
  ])
})

test('the export of a year has a line per person and month and a sum; its download is audited', async () => {
  const ann = await aUser(deps)
  await aReward(deps, db.owner, ann.userId)
  await aReward(deps, db.owner, ann.userId)
  await site.call('POST', '/v1/fission/invitationRewardWithdraw', {}, { token: ann.token, idempotencyKey: createId('key') })
  const year = new Date(Date.now() + 8 * 3_600_000).getUTCFullYear()
  const { raw } = await readRewards('paid.csv', { year })
  expect(raw.body).toMatch(new RegExp(`${year}-\\d\\d,${ann.userId},[^,]*,1,4,0,4`))
  expect(raw.body.trim().split('\r\n').at(-1)).toBe(`${year},all,,1,4,0,4`)
  expect((await readRewards('paid.csv', { year: year - 1 })).raw.body).toContain(`${year - 1},all,,0,0,0,0`)
  expect(await db.query(`select 1 from audit_rows where action = 'invitation.paid-exported'`)).toHaveLength(2)
})

test('a rate for one inviter: asked for, approved by another, for rewards that arise while it holds; what arose keeps its own', async () => {
  const ann = await aUser(deps)
  const amounts = async () =>
    (
      await db.query<{ rate: string; amount: bigint }>('select rate, amount_nano as amount from invitations_rewards where inviter_id = $1 order by id', [
        ann.userId,
      ])
    ).map(({ rate, amount }) => `${rate} = ${amount / 10_000_000n}`)
  /** One more guest whose payment counts. */
  const qualify = async () => {
    const guest = await aUser(deps)
    await aRelation(db, ann.userId, guest.userId)
    await payWith(`card of ${guest.userId}`, guest.userId)
  }
  const today = toShanghaiDay(Date.now())
  const rate = { user: ann.userId, reward: '5.25', from: today, until: '2099-01-01' }
  await qualify()
  for (const bad of [{ reward: '0' }, { reward: '1.005' }, { from: '2026-13-01' }, { until: '2020-01-01' }, { until: '2099-01-01' }])
    expect([bad, (await preview(risk, 'reward.rate', { ...rate, until: today, ...bad })).status]).toEqual([bad, 400])
  expect((await run(await anOperator(deps, ['support']), 'reward.rate', { ...rate, until: today })).status).toBe(403)
  const asked = await run(risk, 'reward.rate', { ...rate, until: today })
  expect([asked.data.state, asked.data.level, asked.data.preview.changes]).toEqual([
    'waiting',
    'second',
    expect.arrayContaining([{ name: 'ownRate', before: null, after: '5.25' }]),
  ])
  await qualify()
  const own = await call('POST', '/operator/command/approve', { no: asked.data.no, reason: '' }, { token: risk.token })
  expect(own.code).toBe(5016)
  const approved = await call('POST', '/operator/command/approve', { no: asked.data.no, reason: '' }, { token: owner.token })
  expect(approved.data.state).toBe('done')
  await qualify()
  expect(await amounts()).toEqual(['2 each = 200', '2 each = 200', 'negotiated: 5.25 each = 525'])
  expect((await preview(risk, 'reward.rate', { ...rate, until: today, reward: '9' })).data.shown.refusal).toMatchObject({ name: 'RATE_OVERLAPS' })
  const info = async () => (await site.call('GET', '/invitation/info', {}, { token: ann.token })).data
  expect((await info()).ownRate).toEqual({ reward: '5.25', until: today })
  expect([(await info()).quarter.rate, (await info()).rules.reward]).toEqual(['5.25', '2'])

  const { rates } = (await readRewards('review', { userId: ann.userId })).data
  expect(rates).toMatchObject([{ reward: '5.25', until: today, state: 'holds', reason: WHY.reason, by: risk.id }])
  const bob = await aUser(deps)
  expect((await preview(risk, 'reward.rate-end', { user: bob.userId, rateId: rates[0].id })).data.shown.refusal).toMatchObject({ name: 'NOT_FOUND' })
  expect((await run(risk, 'reward.rate-end', { user: ann.userId, rateId: rates[0].id })).data.state).toBe('done')
  await qualify()
  expect((await amounts()).at(-1)).toBe('2 each = 200')
  expect([(await info()).ownRate, (await readRewards('review', { userId: ann.userId })).data.rates[0].state]).toEqual([null, 'ended'])
  await expect(db.query('update invitations_rates set reward_nano = 10000000')).rejects.toThrow('frozen')
  const racing = Array.from({ length: 6 }, () =>
    db.query(
      `insert into invitations_rates (inviter_id, reward_nano, valid_from, valid_until, reason, made_by) values ($1, 10000000, now(), now() + interval '1 day', 'a race', 'op')`,
      [bob.userId],
    ),
  )
  expect((await Promise.allSettled(racing)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
