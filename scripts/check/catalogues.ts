import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { LANGS } from '#platform/shared/languages.ts'
import { isTest, walk } from './walk.ts'

/** One catalogue: the path of its files up to the language (`features/site/messages/help.`), and their languages. */
export interface TextCatalogue {
  readonly stem: string
  readonly langs: readonly string[]
}

const TOPS = ['apps', 'features', 'platform', 'ui']
/** messages/zh.json, or messages/legal.zh.json where a page loads its own. */
const CATALOGUE_FILE = /^(.*\/messages\/(?:[\w-]+\.)?)([a-z]{2,3}(?:-\w+)?)\.json$/
const IMPORT = /^import \w+ from '(\.[^']*\/messages\/(?:[\w-]+\.)?)[a-z]{2,3}(?:-\w+)?\.json' with \{ type: 'json' \}\n/gm
const CALL = /\bdefineTexts\(\{[\s\w:',-]*\}/

/** All catalogues below `root`, in the order of their paths. */
export function listCatalogues(root: string): TextCatalogue[] {
  const found = TOPS.flatMap((top) => walk(join(root, top))).flatMap((file) => {
    const [, stem, lang] = CATALOGUE_FILE.exec(relative(root, file)) ?? []
    return stem && lang ? [{ stem, lang }] : []
  })
  const groups = Object.groupBy(found, ({ stem }) => stem)
  return Object.entries(groups)
    .map(([stem, files]) => ({ stem, langs: files!.map(({ lang }) => lang) }))
    .sort((a, b) => (a.stem < b.stem ? -1 : 1))
}

const toCamel = (words: string) => words.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Rewrites a module's imports of its catalogue, and the languages that it passes to `defineTexts`. */
export function updateModule(source: string, langs: readonly string[] = LANGS): string {
  const stem = [...source.matchAll(IMPORT)][0]?.[1]
  if (stem === undefined) return source
  const lines = langs.toSorted().map((lang) => `import ${toCamel(lang)} from '${stem}${lang}.json' with { type: 'json' }\n`)
  let isFirst = true
  const members = langs.map((lang) => (toCamel(lang) === lang ? lang : `'${lang}': ${toCamel(lang)}`)).join(', ')
  return source
    .replace(IMPORT, () => {
      if (!isFirst) return ''
      isFirst = false
      return lines.join('')
    })
    .replace(CALL, `defineTexts({ ${members} }`)
}

/** The module of a catalogue that has none yet: `messages/NAME.LANG.json` gets a file `texts-NAME` beside the folder. */
export function createModule(stem: string): { path: string; source: string } {
  const [, home = '', name = ''] = /^(.*\/)messages\/(?:([\w-]+)\.)?$/.exec(stem) ?? []
  const own = name || (/([\w-]+)\/$/.exec(home.replace(/server\/$/, ''))?.[1] ?? '')
  const start = `import { defineTexts } from '#platform/shared/texts.ts'\nimport texts from './messages/${name && `${name}.`}${LANGS[0]}.json' with { type: 'json' }\n`
  return { path: `${home}texts${name && `-${name}`}.ts`, source: updateModule(`${start}\nexport const ${toCamel(own)}Texts = defineTexts({})\n`) }
}

/** Finds missing catalogue files, catalogues without exactly one module, and modules that are out of date; `write` updates or creates modules. */
export function checkCatalogues(root: string, write = false): string[] {
  const catalogues = listCatalogues(root)
  const problems = catalogues.flatMap(({ stem, langs }) => [
    ...LANGS.filter((lang) => !langs.includes(lang)).map((lang) => `${stem}${lang}.json: missing`),
    ...langs
      .filter((lang) => !(LANGS as readonly string[]).includes(lang))
      .map((lang) => `${stem}${lang}.json: "${lang}" is not in platform/shared/languages.ts`),
  ])
  const users = new Map<string, string[]>()
  for (const file of TOPS.flatMap((top) => walk(join(root, top))).filter((path) => /\.tsx?$/.test(path) && !isTest(path))) {
    const source = readFileSync(file, 'utf8')
    const path = relative(root, file)
    const stems = new Set(
      [...source.matchAll(IMPORT)].map((match) => join(dirname(path), match[1]!.replace(/[^/]*$/, 'x')).replace(/x$/, '') + /[^/]*$/.exec(match[1]!)![0]),
    )
    for (const stem of stems) users.set(stem, [...(users.get(stem) ?? []), path])
    if (!stems.size) continue
    if (stems.size > 1) problems.push(`${path}: imports ${stems.size} catalogues; each has its own module`)
    else if (!CALL.test(source)) problems.push(`${path}: imports a catalogue without defineTexts`)
    else if (updateModule(source) !== source)
      if (write) writeFileSync(file, updateModule(source))
      else problems.push(`${path}: out of date; run npm run texts`)
  }
  for (const { stem } of catalogues) {
    const paths = users.get(stem) ?? []
    if (paths.length > 1) problems.push(`${stem}: imported by ${paths.join(' and ')}; share one module`)
    if (paths.length) continue
    const { path, source } = createModule(stem)
    if (write && !existsSync(join(root, path))) writeFileSync(join(root, path), source)
    else problems.push(`${stem}: no module calls defineTexts with it; run npm run texts`)
  }
  return problems
}

if (import.meta.main) {
  const problems = checkCatalogues(process.cwd(), process.argv.includes('--write'))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
