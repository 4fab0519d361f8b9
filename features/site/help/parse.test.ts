import { describe, expect, test } from 'vitest'
import { parseArticle } from './parse.ts'

const head = '---\ntitle: T\nsummary: S\nupdated: 2026-11-20\n---\n'
const blocks = (text: string) => parseArticle('x', head + text, (name) => [{ id: 'curl', label: 'curl', code: name }]).blocks

describe('the Markdown of the help centre', () => {
  test('headings carry their id, prose its marks', () => {
    expect(blocks('## 标题 {#a-b}\n\nOne **two** `three` [four](/help/x#y).\nfive')).toEqual([
      { kind: 'heading', level: 2, id: 'a-b', text: '标题' },
      {
        kind: 'paragraph',
        inlines: [
          { kind: 'text', text: 'One ' },
          { kind: 'strong', text: 'two' },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'three' },
          { kind: 'text', text: ' ' },
          { kind: 'link', text: 'four', href: '/help/x#y' },
          { kind: 'text', text: '. five' },
        ],
      },
    ])
  })

  test('a step holds what is indented below it', () => {
    const [list] = blocks('1. one\n\n   @samples call\n\n2. two\n\nafter')
    expect(list).toMatchObject({
      kind: 'list',
      ordered: true,
      items: [[{ kind: 'paragraph' }, { kind: 'samples', name: 'call', samples: [{ code: 'call' }] }], [{ kind: 'paragraph' }]],
    })
    expect(blocks('1. one\n\nafter')).toHaveLength(2)
  })

  test('notes, tables, figures, receipts', () => {
    expect(blocks('> [!WARN]\n> mind\n> this')).toMatchObject([{ kind: 'note', note: 'warn', blocks: [{ kind: 'paragraph' }] }])
    expect(blocks('| a | b |\n|---|---|\n| `x\\|y` | 2 |')).toMatchObject([
      { kind: 'table', head: [[{ text: 'a' }], [{ text: 'b' }]], rows: [[[{ text: 'x|y' }], [{ text: '2' }]]] },
    ])
    expect(blocks('@figure flow\n\n@topup 20 3.5 7.1230')).toEqual([
      { kind: 'figure', name: 'flow' },
      { kind: 'topup', amount: '20', percent: '3.5', rate: '7.1230' },
    ])
    expect(blocks('@receipt gpt\ninput 10 2.00\noutput 3 0.5')).toEqual([
      {
        kind: 'receipt',
        model: 'gpt',
        lines: [
          { line: 'input', tokens: 10, price: '2.00' },
          { line: 'output', tokens: 3, price: '0.5' },
        ],
      },
    ])
  })

  test.each([
    ['a heading without id', '## Title', 'a heading is'],
    ['an unknown note', '> [!TIP]\n> x', 'a note begins'],
    ['code in place', '```\nx\n```', 'help/samples'],
    ['a row too short', '| a | b |\n|---|---|\n| 1 |', 'a table has'],
    ['an unknown directive', '@video x', 'unknown directive'],
    ['a broken bold', 'this **is bold', 'broken markup'],
    ['bold around code', '**`x`**', 'nothing nests'],
    ['HTML', 'a <br> b', 'broken markup'],
    ['a mixed list', '1. one\n- two', 'mixes'],
    ['a receipt line in words', '@receipt gpt\ninput many 2', 'a receipt line'],
  ])('%s is refused with the article named', (_, text, problem) => {
    expect(() => blocks(text)).toThrow(new RegExp(`help/x: .*${problem}`))
  })

  test.each([
    ['no front matter', 'text', 'begins with'],
    ['no title', '---\nsummary: S\nupdated: 2026-11-20\n---\n', 'has no title'],
    ['no day', '---\ntitle: T\nsummary: S\nupdated: soon\n---\n', 'is not a day'],
    ['an unknown field', '---\ntitle: T\nsummary: S\nupdated: 2026-11-20\nauthor: me\n---\n', 'unknown fields'],
  ])('%s is refused', (_, text, problem) => {
    expect(() => parseArticle('x', text, () => [])).toThrow(problem)
  })
})
