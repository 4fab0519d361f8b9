import { expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { payments } from '#features/payments/server/index.ts'
import { createSiteFeature } from '../index.ts'
import { indexCountsSetting } from '../settings.ts'
import { roundDown } from './index-count.ts'

const db = await useTestDb()
let asked = 0
const counting = defineFeature({ name: 'counting', counted: { users: async () => 12_987 + asked++, calls: async () => 7 } })
const { call, deps } = createTestApp({ features: [payments, createSiteFeature([]), counting], db })
const count = async (type: string) => (await call('GET', `/common/indexCount/${type}`)).data?.count

test('counts are off by default; on, they are rounded down and queried once for many visitors', async () => {
  expect([await count('users'), asked]).toEqual([null, 0])
  await transact(db, { kind: 'operator', id: 'test' }, (tx) => deps.settings.set(tx, indexCountsSetting, ['users', 'cards']))
  expect(await Promise.all(Array.from({ length: 20 }, () => count('users')))).toEqual(Array.from({ length: 20 }, () => 12_000))
  expect(asked).toBe(1)
  // switched on, but without a counter
  expect(await count('cards')).toBe(0)
  expect(await count('calls')).toBeNull()
  expect((await call('GET', '/common/indexCount/secrets')).status).toBe(400)
})

test.each([
  [0, 0],
  [7, 7],
  [99, 99],
  [100, 100],
  [129, 120],
  [12_987, 12_000],
  [1_999_999, 1_900_000],
])('%i is shown as %i', (is, shown) => {
  expect(roundDown(is)).toBe(shown)
})
