import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { createTestPayments } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { invitations } from '../index.ts'
import { findInvitedDiscount } from './first-discount.ts'

const db = await useTestDb()
const clock = createTestClock()
const { callAs, call, deps, settle } = createTestApp({ features: [invitations, payments, account, notices, risk, wallet], db, clock })
const { pay } = createTestPayments(db.owner)
const aRegisteredUser = async (inviteCode?: string) => {
  const user = await aUser(deps, inviteCode === undefined ? {} : { inviteCode })
  await settle()
  return { ...user, me: callAs(user.token) }
}
const codeOf = async ({ me }: Awaited<ReturnType<typeof aRegisteredUser>>) => (await me('GET', '/invitation/info')).data.inviteCode as string
const inviterOf = async (userId: string) =>
  (await db.query<{ inviterId: string; way: string }>('select inviter_id, way from invitations_relations where invitee_id = $1', [userId]))[0]

test('the platform’s code has eight letters without look-alikes, and stays the same however often and at once it is asked for', async () => {
  const { me } = await aRegisteredUser()
  const codes = await Promise.all(Array.from({ length: 10 }, async () => (await me('GET', '/invitation/info')).data.madeCode))
  expect(new Set(codes).size).toBe(1)
  expect(codes[0]).toMatch(/^[ACDEFGHJKMNPQRTUVWXY]{8}$/)
})

test('a user who pays the moment after registering with a code pays less, though the news of it is still on its way', async () => {
  const code = await codeOf(await aRegisteredUser())
  const [invited, alone, wrong] = [await aUser(deps, { inviteCode: code.toLowerCase() }), await aUser(deps), await aUser(deps, { inviteCode: 'NOBODYS' })]
  const discounts = [invited, alone, wrong].map(({ userId }) => findInvitedDiscount(deps, db, userId))
  expect(await Promise.all(discounts)).toEqual([2_000_000_000n, 0n, 0n])
  expect(await inviterOf(invited.userId)).toBeUndefined()
  await settle()
})

test('an own code is chosen once, belongs to no other user and looks like no other code', async () => {
  const [ann, bob] = [await aRegisteredUser(), await aRegisteredUser()]
  const choose = (who: typeof ann, code: string) => who.me('POST', '/invitation/code', { code })
  for (const bad of ['AB', 'TOOLONGCODE1', 'a-b-c', '邀请码', 'A B']) expect((await choose(ann, bad)).status).toBe(400)
  const answers = await Promise.all(['MING0', 'MINGO', 'M1NG0'].map((code) => choose(ann, code)))
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 3403, 3403])
  expect((await choose(bob, ' mingo ')).code).toBe(3402)
  expect((await choose(bob, 'bob2026')).data).toEqual({ code: 'BOB2026' })
  const { data } = await bob.me('GET', '/invitation/info')
  expect(data).toMatchObject({ ownCode: 'BOB2026', inviteCode: 'BOB2026' })
  // both codes are valid
  for (const code of ['BOB2026', data.madeCode]) expect((await inviterOf((await aRegisteredUser(code)).userId))?.inviterId).toBe(bob.userId)
})

test('a code at sign-up counts; an unknown one leaves the place to another', async () => {
  const ann = await aRegisteredUser()
  const code = await codeOf(ann)
  expect(await inviterOf((await aRegisteredUser(code.toLowerCase())).userId)).toEqual({ inviterId: ann.userId, way: 'signup' })
  const bob = await aRegisteredUser('NOBODYS1')
  expect(await inviterOf(bob.userId)).toBeUndefined()
  expect((await bob.me('POST', '/user/updateInvitedCode', { inviteCode: 'NOBODYS2' })).code).toBe(3401)
  expect((await bob.me('POST', '/user/updateInvitedCode', { inviteCode: await codeOf(bob) })).code).toBe(3401)
  const answers = await Promise.all(
    ['/user/inviteCode', '/user/updateInvitedCode', '/v1/fission/updateInvitation', '/user/inviteCode'].map((path) =>
      bob.me('POST', path, { inviteCode: code }),
    ),
  )
  expect(answers.filter(({ code: answer, data }) => answer === 200 && data.accepted !== false)).toHaveLength(1)
  expect(await inviterOf(bob.userId)).toEqual({ inviterId: ann.userId, way: 'later' })
  expect((await bob.me('POST', '/user/updateInvitedCode', { inviteCode: code })).code).toBe(1026)
})

test('a code is not taken after the first payment, nor after a day', async () => {
  const code = await codeOf(await aRegisteredUser())
  const [paid, late] = [await aRegisteredUser(), await aRegisteredUser()]
  expect((await paid.me('GET', '/invitation/info')).data.codeUntil).not.toBeNull()
  await pay(paid.userId, 1_000_000_000n)
  expect((await paid.me('GET', '/invitation/info')).data.codeUntil).toBeNull()
  expect((await paid.me('POST', '/v1/fission/updateInvitation', { inviteCode: code })).code).toBe(1026)
  expect((await paid.me('POST', '/user/inviteCode', { inviteCode: code, invitationType: 2 })).data).toEqual({ accepted: false })
  clock.advance(24 * 3_600_000 + 1)
  expect((await late.me('POST', '/user/updateInvitedCode', { inviteCode: code })).code).toBe(1026)
})

test('the landing page says what a code is worth and nothing about who sent it', async () => {
  const ann = await aRegisteredUser()
  const code = await codeOf(ann)
  const answer = await call('GET', '/invitation/landing', { code: code.toLowerCase() })
  expect(answer.data).toEqual({ valid: true, code, discount: '2', feePercent: '3.5', min: '5' })
  expect((await call('GET', '/invitation/landing', { code: 'NOBODYS1' })).data.valid).toBe(false)
})

test('an invited user has 2.00 off the first top-up', async () => {
  const [ann, plain] = [await aRegisteredUser(), await aRegisteredUser()]
  const bob = await aRegisteredUser(await codeOf(ann))
  const quote = async (who: typeof ann) => (await who.me('GET', '/v1/pay/quote', { orderType: 10, amount: '20' })).data
  expect(await quote(bob)).toMatchObject({ amount: '20', discount: '2', fee: '0.63', total: '18.63' })
  expect(await quote(plain)).toMatchObject({ total: '20.7' })
})
