import { beforeEach, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, signInBuiltUser } from '../builders.ts'
import type { BuiltUser, BuiltSession } from '../builders.ts'
import { account } from '../index.ts'
import { authenticateView, openView } from './list-sessions.ts'

const db = await useTestDb()
const clock = createTestClock()
const { callAs, deps } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const isIn = async ({ token }: BuiltSession) => (await callAs(token)('GET', '/user/info')).status === 200
const end = (by: BuiltSession, sessionId: string) => callAs(by.token)('POST', '/user/session/end', { sessionId })
const audited = async (userId: string) =>
  (
    await db.query<{ action: string }>(
      `select action from audit_rows where target = $1 and (action ~ '^account.(session|logout)' or action = 'account.viewed') order by id`,
      [`user:${userId}`],
    )
  ).map(({ action }) => action)

let user: BuiltUser
let other: BuiltUser
beforeEach(async () => {
  user = await aUser(deps)
  other = await aUser(deps)
})

test('a session is ended from another session of the same user, and from no other user’s', async () => {
  const [second, third] = [await signInBuiltUser(deps, user), await signInBuiltUser(deps, user)]
  expect((await end(other, second.sessionId)).status).toBe(404)
  expect(await isIn(second)).toBe(true)
  expect((await end(user, second.sessionId)).code).toBe(200)
  expect([await isIn(user), await isIn(second), await isIn(third), await isIn(other)]).toEqual([true, false, true, true])
  expect((await end(user, second.sessionId)).status).toBe(404)
  expect([await audited(user.userId), await audited(other.userId)]).toEqual([['account.session-ended'], []])
})

test('the list has the user’s own sessions and marks the current one', async () => {
  const second = await signInBuiltUser(deps, user)
  const { sessions } = (await callAs(second.token)('GET', '/user/sessions')).data as { sessions: { id: string; current: boolean }[] }
  expect(new Map(sessions.map(({ id, current }) => [id, current]))).toEqual(
    new Map([
      [second.sessionId, true],
      [user.sessionId, false],
    ]),
  )
  expect(JSON.stringify(sessions)).not.toContain(second.token)
})

test('logging out ends the session that asks, and its token is dead at once', async () => {
  const second = await signInBuiltUser(deps, user)
  expect((await callAs(second.token)('POST', '/user/logout')).code).toBe(200)
  expect([await isIn(second), await isIn(user)]).toEqual([false, true])
  expect((await callAs(second.token)('POST', '/user/logout')).status).toBe(401)
  expect(await audited(user.userId)).toEqual(['account.logout'])
})

const view = (userId: string) => transact(db, SYSTEM, (tx) => openView(deps, tx, { userId, operatorId: 'op-1', reason: 'the balance looks wrong' }))

test('an operator’s view reads that one account for a quarter of an hour, changes nothing, and is written down', async () => {
  const { token, endsAt } = await view(user.userId)
  expect(endsAt.getTime() - clock.now().getTime()).toBe(15 * 60_000)
  const look = callAs(token)
  expect((await look('GET', '/user/info')).data).toMatchObject({ email: user.email })
  for (const [path, body] of [
    ['/user/updateUserInfo', { nickName: 'x' }],
    ['/user/session/endOthers', {}],
    ['/user/logout', {}],
  ] as const)
    expect([path, (await look('POST', path, body)).code]).not.toEqual([path, 200])
  expect(await isIn(user)).toBe(true)
  expect(await audited(user.userId)).toEqual(['account.viewed'])
  clock.advance(15 * 60_000 - 1000)
  expect(await isIn({ ...user, token })).toBe(true)
  clock.advance(1000)
  expect(await isIn({ ...user, token })).toBe(false)
})

test('a session token is no view token, and no view of an unknown user opens', async () => {
  const { token } = await view(user.userId)
  expect(await authenticateView(deps, token)).toMatchObject({ userId: user.userId, readOnly: true })
  for (const wrong of [user.token, token.replace('view_', ''), `${token}x`, `view_${'A'.repeat(43)}`, ''])
    expect(await authenticateView(deps, wrong)).toBeUndefined()
  await expect(view(createId('usr'))).rejects.toMatchObject({ errorName: 'NOT_FOUND' })
})
