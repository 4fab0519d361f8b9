import { expect, test } from 'vitest'
import { vendors } from './index.ts'

const listTraits = (vendor: string, model: string) => vendors.find((one) => one.id === vendor)!.traits!(model)

test.each([
  ['claude-opus-4-20250514', ['thinks-by-budget']],
  ['claude-haiku-4-5', ['thinks-by-budget']],
  ['claude-sonnet-4-5-20250929', ['thinks-by-budget']],
  ['claude-sonnet-4-6', []],
  ['claude-opus-4-8', ['system-turns']],
  ['claude-sonnet-5', ['thinks-unless-told', 'system-turns']],
  ['claude-opus-5-5', ['always-thinks', 'system-turns']],
  ['claude-fable-5', ['always-thinks', 'system-turns']],
])('%s', (model, traits) => {
  expect(listTraits('anthropic', model)).toEqual(traits)
})

test('Gemini thinks by level since 3, GPT knows the effort max since 5.6', () => {
  expect(['gemini-2.5-pro', 'gemini-3.8-flash', 'gemini-4-argon'].map((model) => listTraits('google', model).length)).toEqual([0, 2, 2])
  expect(['gpt-4.1', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6.2-sol', 'o3'].map((model) => listTraits('openai', model).length)).toEqual([0, 0, 1, 1, 0])
})
