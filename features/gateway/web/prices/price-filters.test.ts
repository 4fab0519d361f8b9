import { expect, test } from 'vitest'
import type { ModelRow } from '../../contract.ts'
import { filterPriceList, applyOwnPrices } from './pricing.tsx'

const classes = (input: string, output: string) => ({
  input,
  output,
  cachedInput: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  audioInput: null,
  audioOutput: null,
  imageInput: null,
  cachedAudio: null,
  cachedImage: null,
})
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
  priceFrom: '',
  prices: { usd: classes(input, output), cny: classes(input, output) },
  nextPrice: null,
  longContext: null,
  ...more,
})
const rows = [
  row('gpt-5.6-sol', 'openai', { input: '2', output: '10', more: { aliases: ['gpt-5.6'], capabilities: ['vision', 'tools'], releasedOn: '2026-06-01' } }),
  row('claude-opus-5', 'anthropic', { input: '5', output: '25', more: { capabilities: ['vision'], contextTokens: 2000, releasedOn: '2026-10-01' } }),
  row('gemini-3.8-flash', 'google', { input: '0.3', output: '2.5', more: { contextTokens: null } }),
]
const all = { text: '', vendor: '', capabilities: [], sort: 'default' } as const
const ids = (filter: Parameters<typeof filterPriceList>[1]) => filterPriceList(rows, filter).map((found) => found.modelValue)

test('separators and case do not matter, aliases count', () => {
  expect(ids({ ...all, text: 'GPT56 SOL' })).toEqual(['gpt-5.6-sol'])
  expect(ids({ ...all, text: 'gpt-5.6' })).toEqual(['gpt-5.6-sol'])
  expect(ids({ ...all, text: 'anthropic' })).toEqual(['claude-opus-5'])
  expect(ids({ ...all, text: '无' })).toEqual([])
})
test('every chosen capability must be there', () => {
  expect(ids({ ...all, capabilities: ['vision'] })).toHaveLength(2)
  expect(ids({ ...all, capabilities: ['vision', 'tools'] })).toEqual(['gpt-5.6-sol'])
})
test('sorted by price, context and age; unknown ones last', () => {
  expect(ids({ ...all, sort: 'price' })).toEqual(['gemini-3.8-flash', 'gpt-5.6-sol', 'claude-opus-5'])
  expect(ids({ ...all, sort: 'context' })).toEqual(['claude-opus-5', 'gpt-5.6-sol', 'gemini-3.8-flash'])
  expect(ids({ ...all, sort: 'newest' })[0]).toBe('claude-opus-5')
})
test('a negotiated price replaces the list’s; one of a model that is not listed is not shown', () => {
  const own = [
    row('gpt-5.6-sol', 'openai', { input: '1', output: '9', more: { percent: '90' } }),
    row('hidden', 'openai', { input: '1', output: '1', more: { percent: '90' } }),
  ]
  const shown = applyOwnPrices(rows, own)
  expect(shown.map(({ modelValue, percent }) => [modelValue, percent])).toEqual(
    rows.map(({ modelValue }) => [modelValue, modelValue === 'gpt-5.6-sol' ? '90' : undefined]),
  )
})
