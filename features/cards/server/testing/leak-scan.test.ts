import { expect, test } from 'vitest'
import { findLeakedNumbers } from './leak-scan.ts'

const NUMBER = '4000003826104829'
const wanted = new Set([NUMBER, '44030519910228102X'])

test.each<readonly [string, string]>([
  ['as it is', `{"a":"${NUMBER}"}`],
  ['in a row of digits', `12${NUMBER}34`],
  ['with spaces', 'paid by 4000 0038 2610 4829.'],
  ['with dashes', '4000-0038-2610-4829'],
  ['reversed', [...NUMBER].toReversed().join('')],
  ['in hex', Buffer.from(`x${NUMBER}`).toString('hex')],
  ...['', 'x', 'xy'].map((before) => [`in base64 after ${before.length}`, Buffer.from(`${before}${NUMBER}yz`).toString('base64')] as const),
])('S1: a number is found %s', (_, text) => {
  expect(findLeakedNumbers(text, wanted)).toEqual([NUMBER])
})

test('S1: an identity number is found, others are not', () => {
  expect(findLeakedNumbers('"44030519910228102X"', wanted)).toEqual(['44030519910228102X'])
  expect(findLeakedNumbers('4000003826104828 440305199102281020', wanted)).toEqual([])
})
