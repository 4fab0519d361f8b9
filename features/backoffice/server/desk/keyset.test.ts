import { expect, test } from 'vitest'
import { orderNewestFirst } from './keyset.ts'

test('a short time range sorts its rows after the filter; every other query reads them in index order', () => {
  expect(orderNewestFirst('o.id', '2026-05-30', '2026-05-30')).toBe('o.id + 0 desc')
  expect(orderNewestFirst('o.id', '2026-01-01', '2026-04-03')).toBe('o.id + 0 desc')
  expect(orderNewestFirst('o.id', '2026-01-01', '2026-04-04')).toBe('o.id desc')
  expect(orderNewestFirst('o.id', undefined, '2026-05-30')).toBe('o.id desc')
  expect(orderNewestFirst('a.id', '2026-05-30T00:00:00+08:00', undefined)).toBe('a.id desc')
})
