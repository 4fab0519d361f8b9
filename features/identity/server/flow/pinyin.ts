import type * as PinyinPro from 'pinyin-pro'
import type { Ctx } from '#platform/server/feature.ts'
import { loadPackage } from '#platform/server/load-package.ts'

/** Surnames of two characters, beyond those that the dictionary reads as one. */
const DOUBLE =
  /^(欧阳|司马|上官|诸葛|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|宇文|长孙|司徒|司空|端木|南宫|百里|呼延|轩辕|独孤|拓跋|澹台|公冶|宗政|濮阳|淳于|单于|太叔|申屠|钟离|闻人|赫连|万俟)/

const plain = (text: string, surname: boolean): string =>
  loadPackage<typeof PinyinPro>('pinyin-pro')
    .pinyin(text, { toneType: 'none', type: 'array', v: true, ...(surname ? { surname: 'head' as const } : {}) })
    .join('')
    // passports print LYU and NYU; there is no letter for ü
    .replace(/v/g, 'yu')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')

/** Proposes the Latin name; the user corrects characters with several readings. */
export async function pinyin(_ctx: Ctx, { chineseName }: { chineseName: string }): Promise<{ lastName: string; firstName: string }> {
  const whole = [...chineseName.replaceAll('·', '')]
  const surname = DOUBLE.exec(chineseName)?.[0] ?? whole[0]!
  const given = whole.slice([...surname].length).join('')
  return { lastName: plain(surname, true), firstName: plain(given, false) }
}

const SIGNS: Readonly<Record<string, string>> = {
  '、': ', ',
  '。': '. ',
  '·': ' ',
  '—': '-',
  '–': '-',
  '№': 'No ',
  '＃': '#',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
}

/** Converts full-width letters, digits and signs to their usual forms. */
const toUsualForms = (text: string): string =>
  [...text.normalize('NFKC')]
    .map((sign) => SIGNS[sign] ?? sign)
    .join('')
    .replace(/\s+/gu, ' ')

/**
 * Converts a Chinese address to Latin letters that carriers can read; Latin parts stay. The address is never shortened; characters without
 * a Latin form are left out, and `findUnreadable` returns them.
 */
export function toLatinAddress(text: string): string {
  return splitPieces(text)
    .map(({ latin }) => latin.trim())
    .filter(Boolean)
    .join(' ')
}

/** The characters of an address without a Latin form, each once. */
export function findUnreadable(text: string): string[] {
  return [...new Set(splitPieces(text).flatMap(({ lost }) => lost))]
}

interface Piece {
  readonly latin: string
  readonly lost: readonly string[]
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text)

function splitPieces(text: string): Piece[] {
  return toUsualForms(text)
    .split(/(\p{Script=Han}+)/u)
    .filter(Boolean)
    .map((piece) => {
      const isHan = /\p{Script=Han}/u.test(piece)
      const words = isHan ? readingOf(piece) : [...piece]
      return { latin: words.filter(isPlain).join(isHan ? ' ' : ''), lost: words.filter((word) => !isPlain(word)) }
    })
}

const readingOf = (han: string): string[] =>
  loadPackage<typeof PinyinPro>('pinyin-pro')
    .pinyin(han, { toneType: 'none', type: 'array', v: true })
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
