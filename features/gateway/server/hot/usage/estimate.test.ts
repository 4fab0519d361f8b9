import { expect, it } from 'vitest'
import { estimateBytes } from './estimate.ts'

const MB = 1_048_576
const tokensOf = (text: string): number => estimateBytes(Buffer.from(JSON.stringify([text])))

it('text up to a megabyte is looked at byte by byte, the rest is taken for the most it can be', () => {
  expect(tokensOf('abc '.repeat(1_000))).toBe(1_000)
  expect(tokensOf('字'.repeat(1_000))).toBe(1_000)
  expect(tokensOf('abc '.repeat(MB))).toBe(MB / 4 + MB)
  // Three bytes per character and per token: the result is the same beyond the counted part.
  expect(tokensOf('字'.repeat(MB))).toBeGreaterThanOrEqual(MB)
})

it('many strings share the same megabyte', () => {
  const body = Buffer.from(JSON.stringify(Array.from({ length: 4 }, () => 'abc '.repeat(MB / 4))))
  expect(estimateBytes(body) - (MB / 4 + MB)).toBeLessThan(5)
})
