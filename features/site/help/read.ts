import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lang } from '#platform/shared/texts.ts'
import type { CodeSample } from './blocks.ts'
import { parseArticle } from './parse.ts'
import type { ParsedArticle } from './parse.ts'

const HOME = import.meta.dirname
export const SAMPLES_FOLDER = join(HOME, 'samples')

/** Tabs in display order. A sample file is called `<name>.<id>.<anything>`. */
const LABELS: Readonly<Record<string, string>> = {
  curl: 'curl',
  python: 'Python',
  node: 'Node',
  go: 'Go',
  java: 'Java',
  shell: 'macOS / Linux',
  powershell: 'PowerShell',
  json: 'settings.json',
  toml: 'config.toml',
  env: '.env',
  http: 'HTTP',
  answer: 'JSON',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  text: 'Text',
  docker: 'Docker',
}
const IDS = Object.keys(LABELS)

export function readCodeSamples(name: string): readonly CodeSample[] {
  const found = readdirSync(SAMPLES_FOLDER)
    .map((file) => ({ file, parts: file.split('.') }))
    .filter(({ parts }) => parts[0] === name)
    .map(({ file, parts }) => ({ id: parts[1]!, label: LABELS[parts[1]!] ?? '', code: readFileSync(join(SAMPLES_FOLDER, file), 'utf8').trimEnd() }))
    .sort((a, b) => IDS.indexOf(a.id) - IDS.indexOf(b.id))
  if (!found.length) throw new Error(`no file help/samples/${name}.*`)
  const unknown = found.find((sample) => !sample.label)
  if (unknown) throw new Error(`help/samples/${name}.${unknown.id}: no label for "${unknown.id}" in help/read.ts`)
  return found
}

export const toArticlePath = (lang: Lang, slug: string): string => join(HOME, 'content', lang, `${slug}.md`)

export function readArticle(lang: Lang, slug: string): ParsedArticle {
  return parseArticle(slug, readFileSync(toArticlePath(lang, slug), 'utf8'), readCodeSamples)
}

export const LEGAL = ['terms', 'privacy', 'protocol'] as const
export type LegalName = (typeof LEGAL)[number]

export function readLegal(lang: Lang, name: LegalName): ParsedArticle {
  return parseArticle(name, readFileSync(join(HOME, '../legal', lang, `${name}.md`), 'utf8'), readCodeSamples)
}

/** Slugs that have a file in this language, whether or not the catalogue lists them. */
export function listSlugs(lang: Lang): readonly string[] {
  const folder = join(HOME, 'content', lang)
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .map((name) => name.slice(0, -3))
        .sort()
    : []
}
