import { beforeEach, expect, test } from 'vitest'
import { generateTotp } from '#platform/server/proof/one-time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { runOperatorCommand } from '#platform/testing/run-command.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aPayPassword, aUser, signInBuiltUser } from '../builders.ts'
import type { BuiltUser } from '../builders.ts'
import { account } from '../index.ts'
import { freezeCommands } from './commands.ts'

const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const PIN = '849371'

let user: BuiltUser
let other: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  other = await aUser(deps)
})
const run = (name: string, more: object = {}) => runOperatorCommand(deps, freezeCommands, { name, sent: { user: user.email, ...more } })
const isIn = async ({ token }: { token: string }) => (await call('GET', '/user/info', {}, { token })).code === 200
const audited = (action: string) =>
  db.query(`select actor_id, data ->> 'reason' as reason from audit_rows where action = $1 and target = $2`, [action, `user:${user.userId}`])
const BY = [{ actorId: 'op-test', reason: 'a reason of some length' }]

test('account.end-sessions ends all sessions of the user named by e-mail and no other’s; the user can sign in again', async () => {
  const second = await signInBuiltUser(deps, user)
  const { subject, weight, did, after } = await run('account.end-sessions')
  expect([subject, weight, did]).toEqual([`user:${user.userId}`, { userId: user.userId }, { ended: 2 }])
  expect(after).toMatchObject({ status: 'active', sessions: 0 })
  expect([await isIn(user), await isIn(second), await isIn(other)]).toEqual([false, false, true])
  expect(await isIn(await signInBuiltUser(deps, user))).toBe(true)
  expect(await audited('account.sessions-ended')).toEqual(BY)
})

test('factors reset: authenticator and recovery codes are gone, sessions end, and others keep theirs', async () => {
  for (const { token } of [user, other]) {
    const { secret } = (await call('POST', '/user/authenticator/start', {}, { token })).data
    expect((await call('POST', '/user/authenticator/confirm', { code: generateTotp(secret, clock.now()) }, { token })).code).toBe(200)
  }
  const { before, did, after } = await run('account.reset-factors')
  expect([before['factor'], did['ended'], after['factor'], after['sessions']]).toEqual([true, 1, false, 0])
  expect(await isIn(user)).toBe(false)
  const { token } = await signInBuiltUser(deps, user)
  expect((await call('GET', '/user/factors', {}, { token })).data).toMatchObject({ authenticatorSince: null, recoveryLeft: 0 })
  expect((await call('GET', '/user/factors', {}, { token: other.token })).data).toMatchObject({ authenticatorSince: expect.any(String), recoveryLeft: 10 })
  expect(await audited('account.factors-reset')).toEqual(BY)
  await expect(run('account.reset-factors')).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('account.reset-pay-tries unlocks the payment password and leaves it unchanged', async () => {
  for (const { userId } of [user, other]) await aPayPassword(deps, userId, PIN)
  const verify = async ({ token }: BuiltUser, password: string) => (await call('POST', '/account/verifyPayPassword', { password }, { token })).data
  for (const each of [user, other]) for (let n = 1; n <= 5; n++) await verify(each, `83916${n}`)
  expect(await verify(user, PIN)).toMatchObject({ resultType: 3 })
  const { before, after } = await run('account.reset-pay-tries')
  expect([before['tries'], after['tries']]).toEqual([5, 0])
  expect(await verify(user, '000001')).toMatchObject({ resultType: 2, failCount: 1 })
  expect(await verify(user, PIN)).toEqual({ resultType: 0, failCount: 0 })
  expect(await verify(other, PIN)).toMatchObject({ resultType: 3 })
  expect(await audited('account.pay-tries-reset')).toEqual(BY)
})

test('a user without a payment password and an unknown user answer NOT_FOUND', async () => {
  await expect(run('account.reset-pay-tries')).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
  for (const { name } of freezeCommands) await expect(run(name, { user: 'nobody@example.com' })).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})

test('taking a freeze back thaws what it froze, and leaves what was frozen before', async () => {
  await run('account.freeze', { scopes: ['money_out'] })
  const { after, undo } = await run('account.freeze', { scopes: ['all', 'money_out', 'calls'] })
  expect(after).toMatchObject({ status: 'frozen', moneyOutFrozen: true, callsFrozen: true })
  expect(undo).toEqual({ name: 'account.thaw', input: { user: user.userId, scopes: ['all', 'calls'] } })
  const undone = await run(undo!.name, undo!.input)
  expect(undone.after).toMatchObject({ status: 'active', moneyOutFrozen: true, callsFrozen: false })
})

test('taking a thaw back freezes what it thawed, and no more', async () => {
  await run('account.freeze', { scopes: ['all', 'calls'] })
  const some = await run('account.thaw', { scopes: ['calls', 'money_out'] })
  expect(some.undo).toEqual({ name: 'account.freeze', input: { user: user.userId, scopes: ['calls'] } })
  const rest = await run('account.thaw')
  expect(rest.after).toMatchObject({ status: 'active', moneyOutFrozen: false, callsFrozen: false })
  expect(rest.undo).toEqual({ name: 'account.freeze', input: { user: user.userId, scopes: ['all'] } })
})
