import { expect, it } from 'vitest'
import { memoizeBySpelling } from './memoize-by-spelling.ts'

function aCountedLookup() {
  const asked: string[] = []
  const lower = memoizeBySpelling((name) => {
    asked.push(name)
    return name === '' ? undefined : name.toLowerCase()
  })
  return { lower, asked }
}

it('each spelling is computed once', () => {
  const { lower, asked } = aCountedLookup()
  expect(['Host', 'host', 'Host', 'HOST', 'host'].map(lower)).toEqual(['host', 'host', 'host', 'host', 'host'])
  expect(asked).toEqual(['Host', 'host', 'HOST'])
})

it('empty and long names are not cached, nor more than 2,000', () => {
  const { lower, asked } = aCountedLookup()
  const long = 'A'.repeat(65)
  for (const name of ['', '', long, long]) lower(name)
  expect(asked).toEqual(['', '', long, long])
  for (let i = 0; i <= 2_000; i++) lower(`X-${i}`)
  asked.length = 0
  for (let i = 0; i <= 2_000; i++) lower(`X-${i}`)
  expect(asked).toEqual(['X-2000'])
})
