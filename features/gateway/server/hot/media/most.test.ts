import { expect, it } from 'vitest'
import { DIALECTS } from '../dialects/index.ts'
import { aModel } from '../testing/fake-deps.ts'
import type { Usage } from '../usage/usage.ts'
import { isProblem } from '../problem.ts'

const PLAIN = aModel('m', [])
const BY_SEARCH = aModel('m', [], { prices: { ...PLAIN.prices, searches: 1n } })

function most(dialect: 'openai-speech' | 'rerank', body: object, model = PLAIN): Usage {
  const rules = DIALECTS[dialect]
  const facts = rules.readFacts(Buffer.from(JSON.stringify({ model: 'm', ...body })), '', '', 'application/json')
  if (isProblem(facts)) throw new Error(facts.message)
  return rules.media!.most(facts.media!, model)
}

it.each(['7', '%', 'W', '語'])('speech: %s is said as a syllable or a word, at a quarter of the speed', (one) => {
  const spoken = most('openai-speech', { input: one.repeat(100), voice: 'x', speed: 0.25 }).audioOutput
  expect(spoken).toBeGreaterThanOrEqual((100 * 0.8 * 4 * 1_250) / 60)
})

it('speech: letters are shorter', () => {
  expect(most('openai-speech', { input: 'a word. '.repeat(12), voice: 'x' }).audioOutput).toBeLessThan(
    most('openai-speech', { input: '7'.repeat(96), voice: 'x' }).audioOutput,
  )
})

it('rerank: every byte may be a token, and every document begins a piece and reads the query', () => {
  // 60 documents of 2,000 bytes and a query of 400: five pieces each.
  expect(most('rerank', { query: 'q'.repeat(400), documents: Array.from({ length: 60 }, () => 'd'.repeat(2_000)) }, BY_SEARCH).searches).toBeGreaterThanOrEqual(
    3,
  )
  expect(most('rerank', { query: 'q', documents: Array.from({ length: 101 }, () => 'd') }, BY_SEARCH).searches).toBeGreaterThanOrEqual(2)
})
