import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getLocale, LANGS, LANGUAGES } from '#platform/shared/languages.ts'
import { isTest, walk } from './walk.ts'

const TOPS = ['apps', 'features', 'platform', 'ui']
const CODE = /\.(?:tsx?|js|css|html)$/
const TABLE = 'platform/shared/languages.ts'
/** Content: texts of sandbox pages, and code that only tests run. */
const CONTENT = /\/vendors\/sandbox\/|^features\/[^/]+\/.*\/testing\/|^platform\/testing\//
/** Catalogues name the message files of each language. */
const CATALOGUE = /\bdefineTexts[(<]|\/messages\/[\w.-]+\.json'/

/** Files that name a language, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'apps/server/start.ts': 'progress of the start, printed by scripts/waiting.mjs before any code of the product runs',
  'features/numbers/web/ticket.tsx': 'messages of services in the United States are English',
  'features/remote/server/engine/launch.ts': 'the remote browser presents itself as one in the United States',
  'features/remote/web/screen/screen-page.tsx': 'the field is for typing Chinese, in any language of the page',
  'features/backoffice/console/announcements/announcements-screen.tsx': 'fields of the columns title_zh and title_en',
}

const names = LANGS.join('|')
const tags = [...new Set(LANGS.flatMap((lang) => [lang, LANGUAGES[lang].tag, getLocale(lang), getLocale(lang).replace('-', '_')]))].join('|')
const prefixes = LANGS.flatMap((lang) => LANGUAGES[lang].path || []).join('|')
const LITERALS = [
  new RegExp(String.raw`(['"])(?:${tags})\1`, 'g'),
  new RegExp(String.raw`(?<![\w$.'-])(?:${names})\??:(?!:)`, 'g'),
  new RegExp(String.raw`(?<=[\w)\]])\??\.(?:${names})\b(?!\.|['(])`, 'g'),
  new RegExp(String.raw`(?<=['"\x60(^\\}])(?:${prefixes})(?=['"\x60/\\)])`, 'g'),
  new RegExp(String.raw`\blang(?:=|-|\|=['"]?)(?:${names})\b`, 'g'),
]

/** Blanks comments, so that line numbers stay the same. */
const stripComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$|<!--[\s\S]*?-->/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))

/** Finds language ids, tags and address prefixes in code, as `path:line: literal`. */
export function findLanguageLiterals(path: string, text: string): string[] {
  const code = stripComments(text)
  return LITERALS.flatMap((literal) =>
    [...code.matchAll(literal)].map((match) => `${path}:${code.slice(0, match.index).split('\n').length}: ${match[0]} names a language: read ${TABLE}`),
  )
}

const isCode = (path: string): boolean => CODE.test(path) && !isTest(path) && path !== TABLE && !CONTENT.test(path)

function checkLanguages(root: string): string[] {
  const files = TOPS.flatMap((top) => walk(join(root, top))).map((file) => relative(root, file))
  const found = new Map(
    files.filter(isCode).map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return [path, CATALOGUE.test(text) ? [] : findLanguageLiterals(path, text)]
    }),
  )
  return [
    ...[...found].flatMap(([path, problems]) => (path in ALLOWED ? [] : problems)),
    ...Object.keys(ALLOWED).flatMap((path) => (found.get(path)?.length ? [] : [`${path} names no language: remove it from scripts/check/languages.ts`])),
  ]
}

if (import.meta.main) {
  const problems = checkLanguages(process.cwd())
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
