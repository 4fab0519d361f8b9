import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LANGS } from '#platform/shared/languages.ts'
import { checkCatalogues, updateModule } from './catalogues.ts'

const MODULE = `import { defineTexts } from '#platform/shared/texts.ts'
import { cardErrors } from './errors.ts'
import old from './messages/old.json' with { type: 'json' }

/** Kept. */
export const cardTexts = defineTexts({ old }, cardErrors)
export const kept = 1
`

function plantTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'mingxi-catalogues-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}
const inEachLang = (stem: string) => Object.fromEntries(LANGS.map((lang) => [`${stem}${lang}.json`, '{ "title": "Title" }']))

test('a module imports the catalogue of each language and keeps the rest', () => {
  expect(updateModule(MODULE, ['zh', 'en', 'zh-TW'])).toBe(`import { defineTexts } from '#platform/shared/texts.ts'
import { cardErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }
import zhTW from './messages/zh-TW.json' with { type: 'json' }

/** Kept. */
export const cardTexts = defineTexts({ zh, en, 'zh-TW': zhTW }, cardErrors)
export const kept = 1
`)
})

test('a missing file, an unknown language and a stale module are reported with their paths', () => {
  const { 'features/cards/messages/en.json': _, ...files } = inEachLang('features/cards/messages/')
  expect(checkCatalogues(plantTree({ ...files, 'features/cards/messages/xx.json': '{}', 'features/cards/texts.ts': MODULE.replaceAll('old', 'zh') }))).toEqual([
    'features/cards/messages/en.json: missing',
    'features/cards/messages/xx.json: "xx" is not in platform/shared/languages.ts',
    'features/cards/texts.ts: out of date; run npm run texts',
  ])
})

test('a catalogue has one module, and a module one catalogue', () => {
  const own = updateModule(MODULE.replaceAll('old', 'zh'))
  const two = own.replace('\n\n', "\nimport more from './messages/more.zh.json' with { type: 'json' }\n\n")
  const files = { ...inEachLang('features/cards/messages/'), ...inEachLang('features/cards/messages/more.') }
  const tree = plantTree({ ...files, 'features/cards/texts.ts': own, 'features/cards/other-texts.ts': own })
  expect(checkCatalogues(tree)).toEqual([
    'features/cards/messages/: imported by features/cards/other-texts.ts and features/cards/texts.ts; share one module',
    'features/cards/messages/more.: no module calls defineTexts with it; run npm run texts',
  ])
  expect(checkCatalogues(plantTree({ ...files, 'features/cards/texts.ts': two }))).toEqual([
    'features/cards/texts.ts: imports 2 catalogues; each has its own module',
  ])
})

test('writing updates modules, and creates the one of a new catalogue', () => {
  const tree = plantTree({
    ...inEachLang('features/cards/messages/'),
    ...inEachLang('features/cards/messages/bill-rows.'),
    'features/cards/texts.ts': MODULE.replaceAll('old', 'zh'),
  })
  expect(checkCatalogues(tree, true)).toEqual([])
  expect(checkCatalogues(tree)).toEqual([])
  expect(readFileSync(join(tree, 'features/cards/texts-bill-rows.ts'), 'utf8')).toContain('export const billRowsTexts = defineTexts({')
})

test('the tree is up to date', () => expect(checkCatalogues(process.cwd())).toEqual([]))
