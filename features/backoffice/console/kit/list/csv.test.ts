import { expect, test } from 'vitest'
import { formatCsv } from './list-foot.tsx'

test('no cell of a customer becomes a formula, and figures stay figures', () => {
  const cells = ['=HYPERLINK("http://x")', '+1', '-12.50', '@a', '\uff1dA1', 'plain', 'a,b', ' padded']
  expect(formatCsv([cells])).toBe(`\uFEFF"'=HYPERLINK(""http://x"")","'+1",-12.50,"'@a","'\uff1dA1",plain,"a,b"," padded"\r\n`)
})

test('a line break in a name does not begin a row', () => {
  expect(formatCsv([['a\nb\r\nc'], ['d']])).toBe('\uFEFFa b c\r\nd\r\n')
})
