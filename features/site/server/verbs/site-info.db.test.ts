import { expect, test } from 'vitest'
import { createSettings } from '#platform/server/settings.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { payments } from '#features/payments/server/index.ts'
import { addSampleContent } from '../builders.ts'
import { createSiteFeature } from '../index.ts'

const db = await useTestDb()
const { call } = createTestApp({ features: [payments, createSiteFeature([])], db })

test('as shipped: the API page, the fees of an order created now, and no invented content', async () => {
  const { data } = await call('GET', '/common/site')
  expect(data).toEqual({ landing: 'api', feePercent: '3.5', minRecharge: '5', maxRecharge: '400', logos: [], reviews: [] })
})

test('content by operators is shown, samples marked', async () => {
  await addSampleContent({ db, settings: createSettings(db) }, 'member')
  await expect.poll(async () => (await call('GET', '/common/site')).data.landing).toBe('member')
  const { data } = await call('GET', '/common/site')
  expect(data.reviews).toHaveLength(9)
  expect([...data.reviews, ...data.logos].every((one: { sample: boolean }) => one.sample)).toBe(true)
})
