import { expect, test } from 'vitest'
import { findCollisions, parseExports } from './names.ts'

test('functions, values, classes and types that a file declares are its names', () => {
  const source = `export async function readNotice() {}
export const LIMIT = 1
export type Notice = string
export interface Facts {}
export { other } from './other.ts'
const own = 2
`
  expect(parseExports(source)).toEqual(new Set(['readNotice', 'LIMIT', 'Notice', 'Facts']))
})

test('a name that two files export is refused with both files', () => {
  const sources = new Map([
    ['b.ts', 'export const Screen = 1'],
    ['a.ts', 'export function Screen() {}'],
    ['c.ts', 'export const Sheet = 1'],
  ])
  expect(findCollisions(sources)).toEqual(['Screen is exported by a.ts, b.ts: name its subject'])
})

test('a value and a type of one name in one file are one name', () => {
  expect(findCollisions(new Map([['a.ts', 'export const row = 1\nexport type row = 1']]))).toEqual([])
})
