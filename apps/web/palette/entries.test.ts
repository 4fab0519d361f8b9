import { expect, test } from 'vitest'
import { findEntries } from './entries.ts'

const models = ['gpt-6.1-sol', 'claude-sonnet-5-5', 'gemini-3.8-flash'].map((modelValue) => ({
  modelValue,
  modelName: modelValue.replaceAll('-', ' '),
  vendor: 'openai',
  aliases: [],
}))
const orders = [{ orderNo: '20261120-8F31A0B2C4D6', note: '' }]
const articles = [{ slug: 'claude-code', title: '\u914d\u7f6e Claude Code', other: 'Set up Claude Code' }]
const known = { signedIn: true, models, orders, articles, recent: ['usage', 'gone', 'newKey'] }
const ids = (typed: string, more = {}) => findEntries(typed, { ...known, ...more }).map((entry) => entry.id)

test('an empty query lists the last used entry first, once', () => {
  expect(ids('').slice(0, 2)).toEqual(['usage', 'newKey'])
  expect(new Set(ids('')).size).toBe(ids('').length)
})

test('pinyin, Chinese, English and ids lead to the same place', () => {
  for (const typed of ['chongzhi', '\u5145\u503c', 'top up']) expect([typed, ids(typed).includes('recharge')]).toEqual([typed, true])
  expect(ids('claude sonnet')[0]).toBe('model:claude-sonnet-5-5')
  expect(ids('gemini3.8')[0]).toBe('model:gemini-3.8-flash')
})

test('an order is found by its whole number or its last four characters', () => {
  expect(ids('c4d6')[0]).toBe('order:20261120-8F31A0B2C4D6')
  expect(ids('20261121-AAAAAAAAAAAA')[0]).toBe('order:20261121-AAAAAAAAAAAA')
  expect(ids('20261121aaaaaaaaaaaa')[0]).toBe('order:20261121-AAAAAAAAAAAA')
})

test('an article of the help centre is found by its title in either language', () => {
  for (const typed of ['claude code', '\u914d\u7f6e', 'claude-code', 'set up claude'])
    expect([typed, ids(typed).includes('help:claude-code')]).toEqual([typed, true])
  expect(ids('').some((id) => id.startsWith('help:'))).toBe(false)
})

test('a visitor is offered what visitors can do', () => {
  const all = ids('', { signedIn: false, recent: [] })
  expect(all).toContain('signIn')
  expect(all).not.toContain('newKey')
  expect(all).toContain('prices')
})
