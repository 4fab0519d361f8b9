import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 KB'],
  [1_234_567, '1.23 MB'],
  [12_345_678, '12.3 MB'],
  [999_600, '1.00 MB'],
  [123_456_789_012, '123 GB'],
  [2e15, '2000 TB'],
])('%i bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
