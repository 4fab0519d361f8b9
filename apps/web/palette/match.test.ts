import { expect, test } from 'vitest'
import { scoreMatch } from './entries.ts'

test('exact matches rank before prefixes, prefixes before infixes, infixes before letters in order', () => {
  const scores = ['gpt-5.1', 'gpt-5.1-mini', 'openai/gpt-5.1', 'g-p-t-x-5-y-1'].map((word) => scoreMatch('gpt 5.1', [word]))
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(new Set(scores).size).toBe(4)
})

test('Chinese, its pinyin and English find the same command; width and case do not matter', () => {
  const words = ['\u5145\u503c', 'Top up', 'chongzhi', 'cz']
  for (const typed of ['\u5145\u503c', '\u5145', 'TOP UP', 'topup', 'chong', 'cz', '\uff23\uff3a'])
    expect([typed, scoreMatch(typed, words) > 0]).toEqual([typed, true])
  expect(scoreMatch('tixian', words)).toBe(0)
})

test('an empty query matches everything; two letters match nothing by chance', () => {
  expect(scoreMatch('  ', ['anything'])).toBe(1)
  expect(scoreMatch('ag', ['abcdefg'])).toBe(0)
})
