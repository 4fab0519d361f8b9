import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { unpackWoff } from './sfnt.ts'

export type FontWeight = 400 | 700

const folder = dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans-sc/package.json'))
/** Latin, Greek and the common Chinese characters: enough for nearly every text. */
const MAIN_SUBSET = 'chinese-simplified'
const fontFiles = new Map<string, Buffer>()
let ranges: readonly { readonly name: string; readonly spans: readonly (readonly [number, number])[] }[] | undefined

/** Reads and unpacks a font file, once per process. Source: @fontsource/noto-sans-sc (SIL Open Font License). */
export function loadFontFile(name: string, weight: FontWeight): Buffer {
  const file = `noto-sans-sc-${name}-${weight}-normal.woff`
  const known = fontFiles.get(file)
  if (known) return known
  const font = unpackWoff(readFileSync(join(folder, 'files', file)))
  fontFiles.set(file, font)
  return font
}

/** Font files that may hold a character, likeliest first. The package's ranges overstate its files, so check the file too. */
export function listFontFiles(codePoint: number): string[] {
  ranges ??= readRanges()
  return [MAIN_SUBSET, ...ranges.filter(({ spans }) => spans.some(([from, to]) => codePoint >= from && codePoint <= to)).map(({ name }) => name)]
}

function readRanges() {
  const listed = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(listed).map(([key, text]) => ({
    name: key.replaceAll(/[[\]]/g, ''),
    spans: text.split(',').map((span): [number, number] => {
      const [from = '0', to = from] = span.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  }))
}
