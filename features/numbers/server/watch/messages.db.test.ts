import { beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { moveTask, sellService, selectTask } from '#features/services/server/door.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aNumber } from '../builders.ts'
import { listRentals } from '../data.ts'
import { numbers } from '../index.ts'
import { numbersSpec } from '../spec.ts'
import { buildNumberRows } from '../view.ts'
import { storeNumberMessages } from './messages.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [numbers, services, payments, wallet, account, notices, risk, support], db, clock: createRunningClock() })
const message = { key: 'one', text: 'Your code is 739204', code: '739204' }

beforeAll(() => sellService(deps, numbersSpec))

async function waiting(number: string) {
  const id = await aNumber(deps, { userId: (await aUser(deps)).userId, number })
  const [rental] = await listRentals(db, [id])
  const view = async () => (await buildNumberRows(deps, [(await selectTask(db, id))!]))[0]!
  return { id, rental: rental!, view }
}
const waitsForLock = () =>
  waitForValue(
    async () => (await db.owner.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length || undefined,
    'the other transaction',
  )

test('a code that comes while its number is given back is late: no member gets both the code and the use', async () => {
  const { id, rental, view } = await waiting('+12135550142')
  const { promise: isGivenBack, resolve: givenBack } = Promise.withResolvers<void>()
  const giving = transact(db, SYSTEM, async (tx) => {
    await moveTask(deps, tx, { id, from: ['waiting'], to: { to: 'cancelled', cause: 'given_back' } }) // audited by moveTask
    givenBack()
    await waitsForLock()
  })
  await isGivenBack
  await Promise.all([storeNumberMessages(deps, rental, [message]), giving])
  expect(await view()).toMatchObject({ state: 'cancelled', cause: 'given_back', code: '', messages: [] })
  expect(await db.query('select late from numbers_messages where task_id = $1', [id])).toEqual([{ late: true }])
})

test('a number whose code has come is not given back', async () => {
  const { id, rental, view } = await waiting('+12135550143')
  await storeNumberMessages(deps, rental, [message, message])
  const cancelled = await transact(db, SYSTEM, (tx) => moveTask(deps, tx, { id, from: ['finding', 'waiting'], to: { to: 'cancelled', cause: 'given_back' } })) // audited by moveTask
  expect(cancelled).toBeUndefined()
  expect(await view()).toMatchObject({ state: 'received', code: '739204', messages: [{ late: false }] })
})
