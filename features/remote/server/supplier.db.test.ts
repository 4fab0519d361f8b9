import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { selectTask, workTask } from '#features/services/server/door.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { startKasm } from '#stand-ins/kasm/index.ts'
import { remote } from './index.ts'

const db = await useTestDb({ max: 10 })
const features = [remote, proxy, services, payments, wallet, account, notices, risk, support, cards, identity]
const kasm = await startKasm()
afterAll(() => kasm.close())
const { call, deps } = createTestApp({
  features,
  db,
  clock: createRunningClock(),
  env: { KASM_URL: kasm.url, KASM_KEY: 'key', KASM_SECRET: 'secret', KASM_IMAGE: 'img', KASM_API: 'session' },
})
let user: BuiltUser
beforeAll(async () => {
  await remote.start!(deps, new Set(['api']))
  user = await aUser(deps)
  await anActiveCard(deps, { userId: user.userId })
})
const post = (path: string, body: object = {}) => call('POST', path, body, { token: user.token, idempotencyKey: createId('key') })
const task = async (id: string) => (await selectTask(db, id))!
const states = () => [...kasm.sessions.values()].map(({ state }) => state)
/** Orders a use that comes with the card; the supplier is called at once. */
async function asked(): Promise<string> {
  kasm.sessions.clear()
  kasm.users.clear()
  return (await post('/reward/kasm/apply')).data.task.id
}

test('an order at a full supplier waits, and begins when there is a place', async () => {
  kasm.fault = 'full'
  const id = await asked()
  await workTask(deps, id)
  expect(await task(id)).toMatchObject({ state: 'queued', free: 'taken' })
  kasm.fault = 'none'
  await workTask(deps, id)
  expect(await task(id)).toMatchObject({ state: 'starting', supplier: 'kasm' })
  expect((await post('/reward/kasm/end')).code).toBe(200)
  await workTask(deps, id)
  expect(states()).toEqual(['deleted'])
})

test('a session left by a lost response ends with its abandoned order', async () => {
  kasm.loseStart()
  const id = await asked()
  await waitForValue(() => states().length === 1, 'the lost session')
  expect((await post('/reward/kasm/end')).code).toBe(200)
  await workTask(deps, id)
  expect(states()).toEqual(['deleted'])
  expect(await task(id)).toMatchObject({ cause: 'given_up', atSupplier: false, free: 'back' })
})
