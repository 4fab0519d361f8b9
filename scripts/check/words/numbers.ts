import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import { LEGAL } from '#features/site/help/read.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import type { Lang, Messages } from '#platform/shared/texts.ts'

/** Numbers allowed in a text with their reason, "15 30: reason", by the path of its messages and its key. */
export type AllowedNumbers = Readonly<Record<string, Readonly<Record<string, string>>>>

const FILE = 'scripts/check/words/numbers-allowed.json'
/** Figures on their own: not part of a name such as gpt-5.4, SOCKS5, TLS1.3 or x-1. */
const NUMBER = /(?<![\w.-])[$¥]?\d+(?:[.,:]\d+)*%?(?![\w-]*[A-Za-z])/g

/** Lists the numbers of a text outside its placeholders. */
export const findTextNumbers = (text: string): readonly string[] => text.replaceAll(/\{[^}]*\}/g, '').match(NUMBER) ?? []

interface NumberedTexts {
  readonly path: string
  readonly texts: Readonly<Record<string, Messages>>
}

/** Checks that each number in a text is a placeholder for a setting or has a reason. Reasons without a number are refused too. */
export function checkNumbers(catalogues: readonly NumberedTexts[], allowed: AllowedNumbers): string[] {
  const problems: string[] = []
  for (const { path, texts } of catalogues) {
    const all = Object.values(texts)
    const keys = new Set(all.flatMap((own) => Object.keys(own)))
    const reasons = allowed[path] ?? {}
    for (const key of keys) {
      const numbers = [...new Set(all.flatMap((own) => findTextNumbers(own[key] ?? '')))].join(' ')
      const [known = '', reason = ''] = (reasons[key] ?? '').split(/: (.*)/s)
      if (numbers && (known !== numbers || !reason.trim()))
        problems.push(`${path}: ${key}: a number may be a setting: use a placeholder, or write "${numbers}: reason" in ${FILE}: ${all[0]?.[key]}`)
      if (!numbers && key in reasons) problems.push(`${FILE}: ${path}: ${key} has no number`)
    }
    for (const key of Object.keys(reasons)) if (!keys.has(key)) problems.push(`${FILE}: ${path}: ${key} is no text`)
  }
  const paths = new Set(catalogues.map(({ path }) => path))
  for (const path of Object.keys(allowed)) if (!paths.has(path)) problems.push(`${FILE}: ${path} has no messages`)
  return problems
}

/** Not prose: headings of legal documents count their sections; list markers, dates, code, samples and link targets say nothing about a setting. */
const MARKS = /^```[^]*?^```|^(?:updated|keywords):.*$|^@.*(?:\n.+)*|^\s*\d+\.\s|`[^`]*`|\]\([^)]*\)|\{#[^}]*\}/gm

/** Splits a document into texts: each of its numbers is a key. */
function readDocument(root: string, folder: string, name: string): NumberedTexts {
  const read = (lang: Lang): Messages => {
    const path = join(root, 'features/site', folder, lang, `${name}.md`)
    const source = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const text = (folder === 'legal' ? source.replaceAll(/^#.*$/gm, '') : source).replaceAll(MARKS, '')
    return Object.fromEntries(findTextNumbers(text.replaceAll(/\{\{\w+\}\}/g, '{}')).map((number) => [number, number]))
  }
  return { path: `features/site/${folder}/${name}`, texts: mapLangs(read) }
}

export function checkTextNumbers(root: string, rooms: readonly NumberedTexts[]): string[] {
  const documents = existsSync(join(root, 'features/site/legal'))
    ? [...LEGAL.map((name) => readDocument(root, 'legal', name)), ...HELP_SLUGS.map((slug) => readDocument(root, 'help/content', slug))]
    : []
  return checkNumbers([...rooms, ...documents], JSON.parse(readFileSync(join(root, FILE), 'utf8')) as AllowedNumbers)
}
