import { expect, it } from 'vitest'
import { createCallKey } from './ids.ts'

it('a call key is its second and 64 random bits, over many draws of random bytes', () => {
  const first = Array.from({ length: 2_000 }, () => createCallKey(1_763_000_000_999))
  const second = Array.from({ length: 2_000 }, (_, at) => createCallKey(1_763_000_001_000 - (at % 2)))
  expect(new Set([...first, ...second].map((key) => key.slice(8))).size).toBe(4_000)
  for (const key of first) expect(key).toMatch(/^6915[0-9a-f]{20}$/)
  expect(new Set(first.map((key) => key.slice(0, 8)))).toEqual(new Set([(1_763_000_000).toString(16)]))
  expect(second.map((key) => Number.parseInt(key.slice(0, 8), 16))).toEqual(second.map((_, at) => 1_763_000_001 - (at % 2)))
})
