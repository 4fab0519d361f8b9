import { expect, test } from 'vitest'
import { parseComments, findDialect, findPageDialect, findSqlDialect } from './english.ts'

const SOURCE = `/** Opens the
 * session. */
const a = 1 // one
// first line
// second line
const url = 'https://example.com' /* a block */
`

test('blocks, lines that follow each other and ends of lines are comments', () => {
  expect(parseComments(SOURCE)).toEqual([
    { line: 1, text: 'Opens the session.' },
    { line: 3, text: 'one' },
    { line: 4, text: 'first line second line' },
    { line: 6, text: 'a block' },
  ])
})

test.each([
  ['/** Runs unless Nobody waits. */', 'a.ts:1: "nobody": write no caller, no client'],
  [`x() /${'/'} it goes on`, 'a.ts:1: "goes on": write continues'],
  ['/** What it costs. */', 'a.ts:1: begins with "What": name the thing, then say what it does'],
])('%s is refused', (source, problem) => {
  expect(findDialect('a.ts', source)).toEqual([problem])
})

test.each([
  '/** What if the lease ends? The call keeps its hold. */',
  '// Continues after a timeout.',
  `const text = 'nobody'`,
  '/** Whatever arrives later is dropped. */',
])('%s is fine', (source) => {
  expect(findDialect('a.ts', source)).toEqual([])
})

/** Parts of samples, so that the check does not read them here. */
const [WHERE, GOES_ON, WHAT] = ['where', 'goes on', 'What']

test.each([
  [`test('${'nobody'} waits', () => {})`, 'a.test.ts:1: "nobody": write no caller, no client'],
  [`test.each([1])('${WHERE} %s leads', async () => {})`, 'a.test.ts:1: begins with "where": name the thing, then say what it does'],
  [`  log.warn({ err }, 'the call ${GOES_ON}')`, 'a.test.ts:1: "goes on": write continues'],
  [`  summary: '${WHAT} one day costs',`, 'a.test.ts:1: begins with "What": name the thing, then say what it does'],
  ['export function tellNobody() {}', 'a.test.ts:1: "nobody": write no caller, no client'],
  ['  const [dearest] = prices', 'a.test.ts:1: "dearest": write most expensive'],
])('the title, message or name in %s is refused', (source, problem) => {
  expect(findDialect('a.test.ts', source)).toEqual([problem])
})

test('a name of a file is refused', () => {
  expect(findDialect('platform/dear-answers.ts', '')).toEqual(['platform/dear-answers.ts:1: "dear": write expensive'])
})

test('a page is refused by its prose, not by code and addresses that it quotes', () => {
  expect(findPageDialect('a.md', 'One.\nThe job goes on.\n`nobody` [a](nobody.md)\n```\nnobody\n```\nNobody')).toEqual([
    'a.md:2: "goes on": write continues',
    'a.md:7: "nobody": write no caller, no client',
  ])
})

test('comments of migrations, a block or the end of a line', () => {
  const source = [
    '-- Holds of calls.',
    '-- Released when nobody waits.',
    'create table a (',
    '  price bigint, -- Dearer than before.',
    '  -- What it costs.',
    '  cost bigint',
    ');',
  ].join('\n')
  expect(findSqlDialect('a.sql', source)).toEqual([
    'a.sql:1: "nobody": write no caller, no client',
    'a.sql:4: "dearer": write more expensive',
    'a.sql:5: begins with "What": name the thing, then say what it does',
  ])
})
