import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import { LEGAL } from '#features/site/help/read.ts'
import type { Messages } from '#platform/shared/texts.ts'

/** Numbers allowed in a text with their reason, "15 30: reason", by the path of its messages and its key. */
export type AllowedNumbers = Readonly<Record<string, Readonly<Record<string, string>>>>

const FILE = 'scripts/check/words/numbers-allowed.json'
/** Figures on their own: not part of a name such as gpt-5.4, SOCKS5, TLS1.3 or x-1. */
const NUMBER = /(?<![\w.-])[$¥]?\d+(?:[.,:]\d+)*%?(?![\w-]*[A-Za-z])/g

/** Lists the numbers of a text outside its placeholders. */
export const findTextNumbers = (text: string): readonly string[] => text.replaceAll(/\{[^}]*\}/g, '').match(NUMBER) ?? []

interface Pair {
  readonly path: string
  readonly zh: Messages
  readonly en: Messages
}

/** Checks that each number in a text is a placeholder for a setting or has a reason. Reasons without a number are refused too. */
export function checkNumbers(pairs: readonly Pair[], allowed: AllowedNumbers): string[] {
  const problems: string[] = []
  for (const { path, zh, en } of pairs) {
    const reasons = allowed[path] ?? {}
    for (const key of Object.keys(zh)) {
      const numbers = [...new Set([...findTextNumbers(zh[key]!), ...findTextNumbers(en[key] ?? '')])].join(' ')
      const [known = '', reason = ''] = (reasons[key] ?? '').split(/: (.*)/s)
      if (numbers && (known !== numbers || !reason.trim()))
        problems.push(`${path}: ${key}: a number may be a setting: use a placeholder, or write "${numbers}: reason" in ${FILE}: ${zh[key]}`)
      if (!numbers && key in reasons) problems.push(`${FILE}: ${path}: ${key} has no number`)
    }
    for (const key of Object.keys(reasons)) if (!(key in zh)) problems.push(`${FILE}: ${path}: ${key} is no text`)
  }
  const paths = new Set(pairs.map(({ path }) => path))
  for (const path of Object.keys(allowed)) if (!paths.has(path)) problems.push(`${FILE}: ${path} has no messages`)
  return problems
}

/** Not prose: headings of legal documents count their sections; list markers, dates, code, samples and link targets say nothing about a setting. */
const MARKS = /^```[^]*?^```|^(?:updated|keywords):.*$|^@.*(?:\n.+)*|^\s*\d+\.\s|`[^`]*`|\]\([^)]*\)|\{#[^}]*\}/gm

/** Splits a document into texts: each of its numbers is a key. */
function readDocumentPair(root: string, folder: string, name: string): Pair {
  const read = (lang: string): Messages => {
    const source = readFileSync(join(root, 'features/site', folder, lang, `${name}.md`), 'utf8')
    const text = (folder === 'legal' ? source.replaceAll(/^#.*$/gm, '') : source).replaceAll(MARKS, '')
    return Object.fromEntries(findTextNumbers(text.replaceAll(/\{\{\w+\}\}/g, '{}')).map((number) => [number, number]))
  }
  const [zh, en] = [read('zh'), read('en')]
  return { path: `features/site/${folder}/${name}`, zh: { ...en, ...zh }, en }
}

export function checkTextNumbers(root: string, rooms: readonly Pair[]): string[] {
  const documents = existsSync(join(root, 'features/site/legal'))
    ? [...LEGAL.map((name) => readDocumentPair(root, 'legal', name)), ...HELP_SLUGS.map((slug) => readDocumentPair(root, 'help/content', slug))]
    : []
  return checkNumbers([...rooms, ...documents], JSON.parse(readFileSync(join(root, FILE), 'utf8')) as AllowedNumbers)
}
