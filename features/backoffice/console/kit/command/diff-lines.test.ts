import { expect, test } from 'vitest'
import { diffLines } from './json-change.tsx'

test('a changed line among many is one removed and one added line', () => {
  const before = ['a', 'grant above 50', 'b', 'c']
  expect(diffLines(before, ['a', 'grant above 5000', 'b', 'c'])).toEqual({
    lines: [
      { sign: '-', text: 'grant above 50' },
      { sign: '+', text: 'grant above 5000' },
    ],
    same: 3,
  })
  expect(diffLines(before, [...before, 'd'])).toEqual({ lines: [{ sign: '+', text: 'd' }], same: 4 })
  expect(diffLines(before, ['b', 'c'])).toEqual({
    lines: [
      { sign: '-', text: 'a' },
      { sign: '-', text: 'grant above 50' },
    ],
    same: 2,
  })
  expect(diffLines([], [])).toEqual({ lines: [], same: 0 })
})
