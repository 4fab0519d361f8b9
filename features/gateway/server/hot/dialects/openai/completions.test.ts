import { afterEach, describe, expect, it, test } from 'vitest'
import { callLab, openLab } from '../../testing/lab.ts'
import type { Lab } from '../../testing/lab.ts'
import { openaiCompletionsDialect } from './completions.ts'

const read = (more: object | string) =>
  openaiCompletionsDialect.readFacts(Buffer.from(typeof more === 'string' ? more : JSON.stringify({ model: 'm', max_tokens: 1_000, ...more })), '', '')
const texts = (count: number) => Array.from({ length: count }, () => 'Once')

describe('answers that are held for', () => {
  it.each([
    [{}, 1],
    [{ prompt: 'Once' }, 1],
    [{ prompt: 'Once', n: null, best_of: null }, 1],
    [{ prompt: 'Once', n: 3 }, 3],
    [{ prompt: 'Once', n: 1, best_of: 20 }, 20],
    [{ prompt: texts(20) }, 20],
    [{ prompt: texts(20), n: 2, best_of: 3 }, 60],
    [{ prompt: [] }, 1],
    [{ prompt: [1, 2, 3] }, 1],
    [{ prompt: [[1, 2], [3], []], n: 2 }, 6],
    [{ prompt: texts(2_048), best_of: 128 }, 262_144],
    ['{"model":"m","n":5,"n":1,"prompt":"a","prompt":["a","b"],"prompt":"c"}', 10],
    ['{"model":"m","prompt": [ "a, [b]" , "\\"]" ] ,"best_of": 2e1 }', 40],
  ])('%j: %i', (body, copies) => expect(read(body)).toMatchObject({ copies }))

  it.each([
    [{ best_of: '20' }, 'best_of'],
    [{ best_of: 0 }, 'best_of'],
    [{ best_of: 1.5 }, 'best_of'],
    [{ n: 129 }, 'n'],
    [{ n: [20] }, 'n'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: { text: 'Once' } }, 'prompt'],
    [{ prompt: [1, 'Once'] }, 'prompt'],
    [{ prompt: ['Once', 1] }, 'prompt'],
    [{ prompt: [['Once', 'more']] }, 'prompt'],
    [{ prompt: [[[1]]] }, 'prompt'],
    [{ prompt: [null] }, 'prompt'],
    [{ prompt: texts(2_049) }, 'prompt'],
  ])('%j is refused by its field', (body, field) => expect(read(body)).toMatchObject({ field, message: expect.stringContaining(`\`${field}\``) }))
})

test('a list of millions of token numbers is one prompt', () =>
  expect(read(`{"model":"m","prompt":[${'7,'.repeat(3_999_999)}7]}`)).toMatchObject({ copies: 1 }))

describe('the hold', () => {
  let lab: Lab
  afterEach(() => lab.close())
  const quote = async (more: object) => {
    lab = await openLab({ model: { dialects: new Set(['openai-completions']), contextTokens: 2_000 } })
    const answer = await callLab(lab, { path: '/v1/quote', body: { model: 'm', max_tokens: 1_000, ...more } })
    return (JSON.parse(answer.body) as { parts: { tokens: number }[] }).parts.map(({ tokens }) => tokens)
  }

  it('is for every answer, shown or not', async () => expect((await quote({ prompt: 'Once', best_of: 20 }))[1]).toBe(20_000))

  it('is for more input than a window where several prompts fill one each', async () => {
    const [input, output] = await quote({ prompt: Array.from({ length: 20 }, () => 'x'.repeat(1_000)) })
    expect([input! > 20_000, output]).toEqual([true, 20_000])
  })
})
