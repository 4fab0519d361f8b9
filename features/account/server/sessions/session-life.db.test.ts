import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aUser, signInBuiltUser } from '../builders.ts'
import { account } from '../index.ts'
import { sessionMaxDays } from '../settings.ts'

const DAY = 86_400_000
const db = await useTestDb()
const clock = createTestClock()
const { callAs, deps } = createTestApp({ features: [account, notices, risk], db, clock })
await chooseCaptcha(deps, 'off')
const info = async (token: string) => (await callAs(token)('GET', '/user/info')).status

test('a session that is used every day ends 30 days after it began, and a step-up does not lengthen it', async () => {
  const user = await aUser(deps)
  let { token } = user
  const began = clock.now().getTime()
  for (let day = 1; day < 30; day++) {
    clock.advance(DAY)
    expect([day, await info(token)]).toEqual([day, 200])
    if (day === 20) token = (await callAs(token)('POST', '/user/secondaryVerify', { password: user.password })).data.token
  }
  const { sessions } = (await callAs(token)('GET', '/user/sessions')).data
  expect(sessions).toMatchObject([{ endsAt: new Date(began + 30 * DAY).toISOString() }])
  clock.advance(DAY - 1000)
  expect(await info(token)).toBe(200)
  clock.advance(1000)
  expect(await info(token)).toBe(401)
  expect((await signInBuiltUser(deps, user)).userId).toBe(user.userId)
})

test('a lower setting holds at once for sessions that are open', async () => {
  const user = await aUser(deps)
  clock.advance(2 * DAY)
  expect(await info(user.token)).toBe(200)
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, sessionMaxDays, 1))
  expect(await info(user.token)).toBe(401)
})

test('an unused session ends after seven days, and lists tell both', async () => {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, sessionMaxDays, 30))
  const user = await aUser(deps)
  const other = await signInBuiltUser(deps, user)
  clock.advance(7 * DAY - 1000)
  expect(await info(user.token)).toBe(200)
  clock.advance(1000)
  expect(await info(other.token)).toBe(401)
  const { sessions, unusedDays, mostDays } = (await callAs(user.token)('GET', '/user/sessions')).data
  expect([sessions.length, unusedDays, mostDays]).toEqual([1, 7, 30])
})
