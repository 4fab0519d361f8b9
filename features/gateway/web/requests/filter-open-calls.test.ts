import { expect, test } from 'vitest'
import { formatElapsedSeconds } from '../figures.ts'
import { filterOpenCalls } from './use-open-calls.ts'

const row = (id: string) => ({
  id,
  startedAt: '2026-11-22T00:00:00.000Z',
  model: 'gpt-6.2-sol',
  askedModel: null,
  vendor: 'openai',
  keyId: 'key_1',
  keyName: '公司电脑',
  apiToken: 'sk····9f3a',
  held: '0.0311',
})
const [one, other] = [row(`call_${'a'.repeat(24)}`), row(`call_${'b'.repeat(24)}`)]

test('a call under way is found by its request’s id, its own, and the 24 characters of either', () => {
  const rows = [one, other]
  expect(filterOpenCalls(rows, undefined)).toEqual(rows)
  for (const find of [one.id, `req_${'a'.repeat(24)}`, 'a'.repeat(24)]) expect(filterOpenCalls(rows, find)).toEqual([one])
  for (const find of ['call_', 'a'.repeat(23), `ref_${'a'.repeat(24)}`, 'gpt']) expect(filterOpenCalls(rows, find)).toEqual([])
})

test('elapsed time in whole seconds, then in minutes', () => {
  expect([0, 999, 17_400, 119_999, 120_000, 3_725_000].map(formatElapsedSeconds)).toEqual(['0 s', '0 s', '17 s', '119 s', '2 min 0 s', '62 min 5 s'])
})
