import { describe, expect, test } from 'vitest'
import { findDanglingReferences, parseDefinedCodes, findUnlistedDecisions } from './rules.ts'

const MONEY = '# Money\n\n## K: keys\n\n- **K1** once\n- **K2** at once\n\nK9 is only talked about.\n'
const WIRE = '## 0 Ours\n\n- **0.5** nothing awaited\n\n## 5 Streams\n'
const HOUSE = {
  files: new Set(['docs/rules/money.md', 'docs/rules/wire.md', 'docs/scale.md', 'docs/decisions/one-form.md', 'features/a/pay.ts']),
  rules: new Map([
    ['money.md', parseDefinedCodes(MONEY)],
    ['wire.md', parseDefinedCodes(WIRE)],
  ]),
}
/** Codes of this file's samples: joined at run time, so that the check does not read them here. */
const UNKNOWN = ['K', '7'].join('')

test('headings and list items define codes, prose does not', () => {
  expect([...parseDefinedCodes(MONEY)]).toEqual(['K1', 'K2'])
  expect([...parseDefinedCodes(WIRE)]).toEqual(['0', '0.5', '5'])
})

describe('a planted breach is reported with its line', () => {
  test.each([
    ['a.ts', `\n/** Once (${UNKNOWN}). */`, `a.ts:2: ${UNKNOWN} stands in no page`],
    ['a.ts', `\n// once (money.md ${UNKNOWN})`, `docs/rules/money.md has no ${UNKNOWN}`],
    ['a.ts', `/** Once (money.md, K1 to ${UNKNOWN}). */`, 'has no K3, K4, K5, K6, K7'],
    ['a.ts', '/** Nothing waits (wire.md 0.6). */', 'docs/rules/wire.md has no 0.6'],
    ['a.ts', '/** The ledger (money.md, lots). */', 'money.md without the code of a rule'],
    ['a.sql', `create table a (); -- once (${UNKNOWN})`, `a.sql:1: ${UNKNOWN}`],
    ['a.test.ts', `test('${UNKNOWN}: twice', () => {})`, `${UNKNOWN} stands in no page`],
    ['a.test.ts', `test.each([1])('${UNKNOWN}: twice', () => {})`, `${UNKNOWN} stands in no page`],
    ['docs/a.md', `See ${UNKNOWN}.`, `docs/a.md:1: ${UNKNOWN}`],
    ['features/a/b.ts', '/**\n * As money was\n * told in house.md\n */', 'features/a/b.ts:3: there is no house.md'],
    ['features/a/b.ts', '// as in ./gone.ts', 'there is no ./gone.ts'],
    ['docs/a.md', 'See [scale](scales.md).', 'there is no scales.md'],
    ['docs/a.md', 'See [vendors](vendors).', 'the link to vendors leads nowhere'],
    ['docs/a.md', 'See [scale](../scale.md).', 'the link to ../scale.md leads nowhere'],
    ['a.ts', '/** 0 not paid (specification 2, section 3). */', '"specification 2" is not in the repository'],
    ['a.ts', `// one form (decision ${'0'}013)`, 'decisions have names, not numbers'],
    ['a.ts', '// one form (docs/decisions/two-forms.md)', 'there is no docs/decisions/two-forms.md'],
    ['docs/decisions/one-form.md', '`copy-in.ts` is gone.', 'there is no copy-in.ts'],
  ])('%s: %j', (path, text, problem) => {
    expect(findDanglingReferences(path, text, HOUSE).join('\n')).toContain(problem)
  })
})

test.each([
  ['a.ts', '/** Once (money.md K1, K2), and nothing waits (wire.md 0.5). */'],
  ['a.ts', `const ${UNKNOWN} = 'M12 7' // a name and a drawing`],
  ['a.ts', `const url = 'https://x.example/${UNKNOWN}/house.md'`],
  ['a.ts', '// V8 collects; see docs/scale.md, pay.ts, docs/decisions/one-form.md'],
  ['features/a/b.ts', '// beside it: ./pay.ts'],
  ['docs/a.md', '[scale](scale.md), [rules](rules/money.md#k), [all](rules), [site](/help), [us](../features/a/)\n\n```sh\ncat house.md\n```'],
  ['bench/notes/one-form.md', '`copy-in.ts` is gone.'],
  ['apps/server/migrations/0001_a.sql', '-- read by gone.ts'],
])('%s: %j leads somewhere', (path, text) => {
  expect(findDanglingReferences(path, text, HOUSE)).toEqual([])
})

test('a decision without a line in the index is reported', () => {
  const files = ['docs/decisions/one.md', 'docs/decisions/two.md', 'docs/decisions/README.md']
  expect(findUnlistedDecisions(files, '- [one](one.md)')).toEqual(['docs/decisions/README.md: has no line for two.md'])
  expect(findUnlistedDecisions(files, '[one](one.md) [two](two.md)')).toEqual([])
})

test('more decisions than a reader takes in are reported', () => {
  const files = Array.from({ length: 31 }, (_, at) => `docs/decisions/n${at}.md`)
  const index = files.map((file) => `(${file.slice('docs/decisions/'.length)})`).join(' ')
  expect(findUnlistedDecisions(files, index)).toEqual(['docs/decisions: 31 records, at most 30: one subject, one file'])
  expect(findUnlistedDecisions(files.slice(1), index)).toEqual([])
})
