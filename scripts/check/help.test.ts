import { expect, test } from 'vitest'
import { parseArticle } from '#features/site/help/parse.ts'
import { checkHelp, compareArticles } from './help.ts'

const buildArticle = (title: string, body: string, updated = '2026-11-20') =>
  parseArticle('x', `---\ntitle: ${title}\nsummary: ${title}\nupdated: ${updated}\n---\n${body}`, () => [])
const zh = buildArticle('标题', '## 一 {#one}\n\n见[二](/terms)。\n\n- 甲\n- 乙')

test('equal articles pass', () => {
  expect(compareArticles(zh, buildArticle('Title', '## One {#one}\n\nSee [two](/terms).\n\n- a\n- b'))).toEqual([])
})

test.each([
  ['a heading is missing', '\n\nSee [two](/terms).\n\n- a\n- b', 'zh has "h2 #one" where en has "plain list of 2"'],
  ['a heading has another id', '## One {#other}\n\nSee [two](/terms).\n\n- a\n- b', 'zh has "h2 #one" where en has "h2 #other"'],
  ['a list is shorter', '## One {#one}\n\nSee [two](/terms).\n\n- a', 'list of 2'],
  ['a link leads elsewhere', '## One {#one}\n\nSee [two](/privacy).\n\n- a\n- b', 'other links'],
  ['Chinese is left', '## One {#one}\n\nSee [two](/terms)。\n\n- a\n- b', 'Chinese in the English article'],
])('%s', (_, body, problem) => {
  expect(compareArticles(zh, buildArticle('Title', body)).join()).toContain(problem)
})

test('a different day is reported', () => {
  expect(compareArticles(zh, buildArticle('Title', '## One {#one}\n\nSee [two](/terms).\n\n- a\n- b', '2026-01-01')).join()).toContain('updated')
})

test('the help centre is complete in both languages', () => {
  expect(checkHelp(process.cwd())).toEqual([])
})
