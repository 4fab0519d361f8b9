import { expect, test } from 'vitest'
import { sampleReply } from '#platform/testing/sample-reply.ts'
import { apiKeyRow } from '../../contract.ts'
import type { ApiKeyRow } from '../../contract.ts'
import { formatKeyTime, resolveApiKeyState } from './key-state.ts'

const NOW = Date.parse('2026-11-22T14:00:00Z')
const LIMITS: NonNullable<ApiKeyRow['limits']> = {
  expiresAt: null,
  models: [],
  networks: [],
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
  dayBudget: null,
  monthBudget: null,
  onDisconnect: 'abort',
}
const key = (more: Partial<ApiKeyRow> = {}, limits: Partial<NonNullable<ApiKeyRow['limits']>> = {}, used = '0'): ApiKeyRow =>
  sampleReply(apiKeyRow, {
    createdAt: '2026-01-01T00:00:00Z',
    lastUseAt: '2026-11-22T13:00:00Z',
    limits: { ...LIMITS, ...limits },
    use: { dayAmount: used, monthAmount: used, heldAmount: '0', openCalls: 0 },
    ...more,
  })
const rotation = { apiToken: 'sk·······m0Pd', endsAt: '2026-11-23T00:00:00Z', calls: 1, lastUseAt: null }

test.each([
  [key(), { kind: 'active' }],
  [key({ status: 'disabled' }), { kind: 'disabled' }],
  [key({ status: 'paused', rotation }), { kind: 'paused' }],
  [key({ status: 'deleted' }, { dayBudget: '1' }, '2'), { kind: 'deleted' }],
  [key({}, { monthBudget: '25' }, '19.99'), { kind: 'active' }],
  [key({}, { monthBudget: '25' }, '20'), { kind: 'nearly' }],
  [key({}, { dayBudget: '0.01' }, '0.0059'), { kind: 'active' }],
  [key({}, { dayBudget: '0.01' }, '0.01'), { kind: 'used' }],
  [key({ rotation }), { kind: 'rotating' }],
  [key({ rotation }, { dayBudget: '1' }, '1'), { kind: 'used' }],
  [key({}, { expiresAt: '2026-11-22T14:00:00Z' }), { kind: 'expired', day: '2026-11-22' }],
  [key({}, { expiresAt: '2026-12-01T16:00:00Z' }), { kind: 'expires', day: '2026-12-01' }],
  [key({}, { expiresAt: '2027-12-01T16:00:00Z' }), { kind: 'active' }],
  [key({ lastUseAt: '2026-08-21T00:00:00Z' }), { kind: 'idle', days: 93 }],
  [key({ lastUseAt: null, createdAt: '2026-08-21T00:00:00Z' }), { kind: 'idle', days: 93 }],
])('%#: the most important state of a key', (row, state) => {
  expect(resolveApiKeyState(row, NOW)).toEqual(state)
})

test('times are as short as they can be told apart', () => {
  expect(formatKeyTime('2026-11-22T13:35:00Z', NOW)).toEqual({ day: 'today', text: '21:35' })
  expect(formatKeyTime('2026-11-21T15:48:00Z', NOW)).toEqual({ day: 'yesterday', text: '23:48' })
  expect(formatKeyTime('2026-08-21T00:00:00Z', NOW)).toEqual({ day: 'other', text: '08-21' })
  expect(formatKeyTime('2025-08-21T00:00:00Z', NOW)).toEqual({ day: 'other', text: '2025-08-21' })
})
