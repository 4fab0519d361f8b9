import { expect, test } from 'vitest'
import { parseComments, findDialect } from './english.ts'

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
