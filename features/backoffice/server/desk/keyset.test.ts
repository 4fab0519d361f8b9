import { expect, test } from 'vitest'
import { newestFirst } from './keyset.ts'

test('rows of a short time are sorted after they are found by it; all others are read in their order', () => {
  expect(newestFirst('o.id', '2026-05-30', '2026-05-30')).toBe('o.id + 0 desc')
  expect(newestFirst('o.id', '2026-01-01', '2026-04-03')).toBe('o.id + 0 desc')
  expect(newestFirst('o.id', '2026-01-01', '2026-04-04')).toBe('o.id desc')
  expect(newestFirst('o.id', undefined, '2026-05-30')).toBe('o.id desc')
  expect(newestFirst('a.id', '2026-05-30T00:00:00+08:00', undefined)).toBe('a.id desc')
})
