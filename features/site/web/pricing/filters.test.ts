import { expect, test } from 'vitest'
import type { ModelRow } from '#features/gateway/contract.ts'
import { arrangeModels, filterModels, parseListParam, matchesModel, findVendorId } from './filters.ts'

const none = {
  cachedInput: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  audioInput: null,
  audioOutput: null,
  imageInput: null,
  cachedAudio: null,
  cachedImage: null,
}
const row = (
  modelValue: string,
  vendor: string,
  { input, output, more = {} }: { readonly input: string; readonly output: string; readonly more?: Partial<ModelRow> },
): ModelRow => ({
  modelValue,
  modelName: modelValue.toUpperCase(),
  vendor,
  kind: 'chat',
  capabilities: [],
  contextTokens: 1000,
  maxOutputTokens: null,
  releasedOn: null,
  lifecycle: 'active',
  retiresOn: null,
  successor: null,
  aliases: [],
  priceVersion: 1,
  priceFrom: '2026-11-20T00:00:00Z',
  prices: { usd: { ...none, input, output }, cny: { ...none, input, output } },
  nextPrice: null,
  longContext: null,
  ...more,
})
const rows = [
  row('gpt-5.6-sol', 'openai', { input: '2', output: '10', more: { aliases: ['gpt-latest'], capabilities: ['vision', 'tools'], releasedOn: '2026-06-01' } }),
  row('claude-opus-5', 'anthropic', { input: '10', output: '25', more: { capabilities: ['vision'], contextTokens: 2000, releasedOn: '2026-10-01' } }),
  row('gemini-3.8-flash', 'google', { input: '9', output: '10', more: { contextTokens: null } }),
]
const ids = (list: readonly ModelRow[]) => list.map((one) => one.modelValue)
const search = (text: string) => ids(filterModels(rows, { text, capabilities: [] }, (key) => ({ vision: '图片' })[key] ?? ''))

test('separators and case do not matter; aliases, vendors, pinyin and shown words count', () => {
  expect(search('GPT56 SOL')).toEqual(['gpt-5.6-sol'])
  expect(search('gpt-latest')).toEqual(['gpt-5.6-sol'])
  expect(search('guge')).toEqual(['gemini-3.8-flash'])
  expect(search('图片')).toEqual(['gpt-5.6-sol', 'claude-opus-5'])
  expect(search('claude tupian')).toEqual(['claude-opus-5'])
  expect(search('   ')).toHaveLength(3)
  expect(search('no such thing')).toEqual([])
  expect(matchesModel(rows[0]!, '<script>')).toBe(false)
})

test('every chosen capability must be there', () => {
  expect(ids(filterModels(rows, { text: '', capabilities: ['vision', 'tools'] }))).toEqual(['gpt-5.6-sol'])
})

test('sorted by money, not by text; unknown context and age last', () => {
  const by = (sort: 'price' | 'context' | 'newest' | 'default') => ids(arrangeModels(rows, { vendor: '', sort }))
  expect(by('price')).toEqual(['gpt-5.6-sol', 'gemini-3.8-flash', 'claude-opus-5'])
  expect(by('context').at(-1)).toBe('gemini-3.8-flash')
  expect(by('newest')).toEqual(['claude-opus-5', 'gpt-5.6-sol', 'gemini-3.8-flash'])
  expect(by('default')).toEqual(ids(rows))
  expect(ids(arrangeModels(rows, { vendor: 'google', sort: 'default' }))).toEqual(['gemini-3.8-flash'])
})

test('unknown values in an address are ignored', () => {
  expect(parseListParam('vision,nonsense,tools', ['tools', 'vision'])).toEqual(['tools', 'vision'])
})

test('a link names the vendor by its name or its product; anything else is no filter', () => {
  expect(['google', 'Gemini', 'claude', 'gpt', 'openai', '', 'nobody', '__proto__'].map(findVendorId)).toEqual([
    'google',
    'google',
    'anthropic',
    'openai',
    'openai',
    '',
    '',
    '',
  ])
})
