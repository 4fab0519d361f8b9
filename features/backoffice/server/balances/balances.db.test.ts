import { beforeAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { defineFeature } from '#platform/server/feature.ts'
import type { Nano } from '#platform/shared/money.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { anOperator } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'
import { balanceFloors, certificateHosts } from '../settings.ts'
import { listSupplyConditions } from './conditions.ts'
import { createBalancesCheck, createCertificatesCheck } from './check-balances.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Two fake suppliers: the amount of the first and the availability of the second are set by `world`. */
const world = { amount: 50_000_000_000n as Nano, isAway: false, currency: 'USD' }
const supplier = defineFeature({
  name: 'supplier',
  balances: async () => [
    {
      id: 'supplier:one',
      read: async () => [
        { currency: 'USD', amount: world.amount },
        { currency: 'CNY', amount: 9_000_000_000n },
      ],
    },
    {
      id: 'supplier:two',
      read: async () => {
        if (world.isAway) throw new Error('two.example did not answer within 10000 ms')
        return [{ currency: world.currency, amount: 99_000_000_000n }]
      },
    },
  ],
})
const product = [account, notices, risk, supplier]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })
const look = () => createBalancesCheck([supplier])(deps)
let reader: BuiltOperator
beforeAll(async () => {
  reader = await anOperator(deps, ['auditor'])
})
const supplies = async () => (await call('GET', '/operator/supplies', {}, { token: reader.token })).data
const names = async () => (await listSupplyConditions(deps)).map(({ name, key }) => `${name} ${key}`)

test('a balance below its floor raises an alarm; an unreadable one does after an hour and keeps its last figure', async () => {
  await look()
  expect(await names()).toEqual(['balance.low supplier:one CNY'])
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, balanceFloors, { '*': '10', 'supplier:one CNY': '5', 'supplier:one': '60' }))
  expect(await names()).toEqual(['balance.low supplier:one USD'])
  world.amount = 60_000_000_000n
  world.isAway = true
  await look()
  expect(await names()).toEqual([])
  clock.advance(HOUR_MS + 1000)
  await look()
  expect(await names()).toEqual(['balance.unknown supplier:two'])
  reader = await anOperator(deps, ['auditor'])
  const two = (await supplies()).sources.find(({ source }: { source: string }) => source === 'supplier:two')
  expect(two).toMatchObject({ problem: 'two.example did not answer within 10000 ms', balances: [{ amount: '99', currency: 'USD', floor: '10', isLow: false }] })
  world.isAway = false
  await look()
  expect(await names()).toEqual([])
  // A response that cannot be stored counts as failed and does not affect other suppliers
  world.currency = 'USDT'
  world.amount = 70_000_000_000n
  await look()
  world.currency = 'USD'
  const { sources } = await supplies()
  expect(sources.map(({ problem }: { problem: string | null }) => problem === null)).toEqual([true, false])
  expect(sources[0].balances).toContainEqual(expect.objectContaining({ currency: 'USD', amount: '70' }))
  world.amount = 60_000_000_000n
  await look()
})

test('a balance’s history is kept by the hour and at each change; a removed supplier disappears', async () => {
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(HOUR_MS + 1000)
    for (let n = 0; n < 3; n++) await look()
  }
  reader = await anOperator(deps, ['auditor'])
  const one = (await supplies()).sources.find(({ source }: { source: string }) => source === 'supplier:one')
  const dollars = one.balances.find(({ currency }: { currency: string }) => currency === 'USD')
  expect(dollars.points.map(({ amount }: { amount: string }) => amount).at(-1)).toBe('60')
  const [{ n }] = (await db.query<{ n: number }>(`select count(*)::int as n from backoffice_balance_points where source = 'supplier:two'`)) as [{ n: number }]
  expect(n).toBeLessThanOrEqual(6)
  await createBalancesCheck([])(deps)
  expect((await supplies()).sources).toEqual([])
})

test('a certificate’s expiry is serious three weeks ahead and critical one week ahead', async () => {
  const at = (days: number) => new Date(clock.now().getTime() + days * DAY_MS)
  const held = defineFeature({ name: 'held', certificates: async () => [{ name: 'channel 01AB', issuer: 'CA', expiresAt: at(20) }] })
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, certificateHosts, ['api.example.com', 'away.example.com']))
  const seen = async (name: string) => {
    if (name.startsWith('away')) throw new Error('ECONNREFUSED')
    return { issuer: 'Let us', expiresAt: at(6) }
  }
  await createCertificatesCheck([held], seen)(deps)
  expect(await listSupplyConditions(deps)).toMatchObject([
    { name: 'certificate.expires', key: 'api.example.com', severity: 'critical' },
    { name: 'certificate.expires', key: 'channel 01AB', severity: 'serious' },
  ])
  clock.advance(HOUR_MS + 1000)
  await createCertificatesCheck([held], seen)(deps)
  expect(await names()).toContain('certificate.unknown away.example.com')
  reader = await anOperator(deps, ['auditor'])
  expect((await supplies()).certificates).toMatchObject([
    { name: 'away.example.com', days: null },
    { name: 'api.example.com', isSoon: true },
    { name: 'channel 01AB' },
  ])
})
