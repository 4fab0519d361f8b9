import { expect, test } from 'vitest'
import type { ModelRow } from '#features/gateway/contract.ts'
import { findNewModels } from './new-models.ts'

const row = (modelValue: string, releasedOn: string | null, lifecycle = 'active') => ({ modelValue, releasedOn, lifecycle }) as ModelRow
const now = new Date('2026-11-21T00:00:00Z')
const rows = [
  row('old', '2026-09-01'),
  row('older than the user', '2026-11-01'),
  row('new', '2026-11-15'),
  row('newest', '2026-11-20'),
  row('announced', '2026-12-24'),
  row('gone', '2026-11-19', 'retired'),
  row('undated', null),
]

test('a model is new when it came out lately, after the user joined, and is available', () => {
  expect(findNewModels(rows, '2026-11-10T08:00:00Z', now).map((one) => one.modelValue)).toEqual(['newest', 'new'])
  expect(findNewModels(rows, '2025-01-01T00:00:00Z', now).map((one) => one.modelValue)).toEqual(['newest', 'new', 'older than the user'])
  expect(findNewModels(rows, '2026-11-21T00:00:00Z', now)).toEqual([])
})
