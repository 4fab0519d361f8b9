import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { sellService, workTask } from '#features/services/server/door.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { numbers } from '../index.ts'
import { numbersSpec } from '../spec.ts'
import { replaceNumberSuppliers } from '../vendors/index.ts'
import { aFiveSimCompany, aHandlerApiCompany } from '../testing/number-companies.ts'

const db = await useTestDb()
const clock = createRunningClock()
const { app, call, deps } = createTestApp({ features: [numbers, services, cards, identity, payments, wallet, account, notices, risk, support], db, clock })
const handler = await aHandlerApiCompany({ now: () => clock.now() })
const five = await aFiveSimCompany({ now: () => clock.now() })
afterAll(() => Promise.all([app.close(), handler.company.close(), five.company.close()]))
beforeAll(() => {
  sellService(deps, numbersSpec)
  replaceNumberSuppliers(deps, [handler.supplier, five.supplier])
})

async function rented() {
  const { userId, token } = await aUser(deps)
  await anActiveCard(deps, { userId, type: 'standard' })
  const { data } = await call('POST', '/v1/tool/reward/overseaMobile/apply', { type: 1 }, { token, idempotencyKey: createId('key') })
  await workTask(deps, data.id)
  return (await call('GET', `/v1/tool/reward/overseaMobile/${data.id}`, {}, { token })).data
}
const failAll = (path: RegExp) => [handler, five].forEach(({ company }) => company.misbehave('error-before', 50, path))

test.each([
  ['no supplier gives a price', () => failAll(/getPrices|prices/)],
  [
    'one supplier has none, and the other rejects our key',
    () => {
      five.stock = 0
      handler.locked = true
    },
  ],
  ['all give a price, and then no number', () => failAll(/getNumber|buy/)],
])('an outage is not reported as a lack of numbers, and the use is returned: %s', async (_title, failNow) => {
  failNow()
  expect(await rented()).toMatchObject({ state: 'failed', cause: 'supplier_down', number: '', returned: true })
  for (const one of [handler, five]) {
    one.company.behave()
    Object.assign(one, { stock: 1000, locked: false })
  }
  expect(await rented()).toMatchObject({ state: 'waiting' })
})
