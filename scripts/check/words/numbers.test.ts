import { expect, test } from 'vitest'
import { checkNumbers, findTextNumbers } from './numbers.ts'

const pair = (zh: string, en: string) => [{ path: 'features/x/messages', texts: { zh: { about: zh }, en: { about: en } } }]

test.each([
  ['订单 15 分钟内有效', ['15']],
  ['可减 $2.00，费率 3.5%', ['$2.00', '3.5%']],
  ['{minutes} 分钟', []],
  ['SOCKS5、gpt-5.4-mini、S3', []],
])('the numbers of %s', (text, numbers) => expect(findTextNumbers(text)).toEqual(numbers))

test('a number without a reason is refused, in either language', () => {
  expect(checkNumbers(pair('15 分钟', '{n} minutes'), {})).toHaveLength(1)
  expect(checkNumbers(pair('{n} 分钟', '15 minutes'), {})).toHaveLength(1)
  expect(checkNumbers(pair('15 分钟', '15 minutes'), { 'features/x/messages': { about: '15: of the law' } })).toEqual([])
  expect(checkNumbers(pair('15 分钟', '30 minutes'), { 'features/x/messages': { about: '15: of the law' } })).toHaveLength(1)
  expect(checkNumbers(pair('15 分钟', '15 minutes'), { 'features/x/messages': { about: '15: ' } })).toHaveLength(1)
  expect(checkNumbers(pair('{n} 分钟', '{n} minutes'), {})).toEqual([])
})

test('a reason without a number, or without messages, is refused', () => {
  expect(checkNumbers(pair('{n} 分钟', '{n} minutes'), { 'features/x/messages': { about: '15: of the law' } }).join()).toContain('has no number')
  expect(checkNumbers([], { 'features/y/messages': {} }).join()).toContain('has no messages')
})
