import { expect, test } from 'vitest'
import { findLanguageLiterals } from './languages.ts'

test.each([
  ["lang === 'zh' ? a : b", "'zh'"],
  ["root.lang = 'zh-CN'", "'zh-CN'"],
  ['const NAMES = { zh: 1 }', 'zh:'],
  ['interface Pair { readonly en?: string }', 'en?:'],
  ['texts.en[key]', '.en'],
  ['`${origin}/en/help`', '/en'],
  [String.raw`/^\/en\//.test(path)`, '/en'],
  ['.lang-en .display {', 'lang-en'],
])('%s names a language', (code, literal) => {
  expect(findLanguageLiterals('x.ts', `const a = 1\n${code}`)).toEqual([`x.ts:2: ${literal} names a language: read platform/shared/languages.ts`])
})

test.each([
  "// 'zh' comes first",
  '/** Below /en. */',
  "import en from './texts.en.json'",
  'const open: Open = screen',
  "fetch('/encode')",
  'LANGUAGES[lang].path',
])('%s names none', (code) => {
  expect(findLanguageLiterals('x.ts', code)).toEqual([])
})
