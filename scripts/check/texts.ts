import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LANGS, LANGUAGES, type Lang } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { listPlaceholders as placeholdersOf } from '#platform/shared/texts.ts'
import { listCatalogues } from './catalogues.ts'
import { checkHelp } from './help.ts'
import { checkTextNumbers } from './words/numbers.ts'
import { isTest, walk } from './walk.ts'

export type TextMessages = Readonly<Record<string, string>>
/** A catalogue: its path, its texts by language, the code of its room, and the server's part of that code. */
export interface MessageRoom {
  readonly path: string
  readonly texts: Readonly<Record<string, TextMessages>>
  readonly source: string
  readonly server: string
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u3001-\u303f\uff01-\uff5e]/
/** Language names are written in their own language, and a brand may have both names. */
const OWN_NAMES = new RegExp([...Object.values(LANGUAGES).map(({ name }) => name), '中文|简体中文|明细|微信|支付宝'].join('|'), 'g')
/** Three consecutive words are an untranslated sentence; names and code are shorter or joined. */
const ENGLISH_SENTENCE = /\b[A-Za-z]{2,}(?: [A-Za-z']{2,}){2,}/
const isLatin = (lang: string) => new Intl.Locale(LANGUAGES[lang as Lang]?.tag ?? lang).maximize().script === 'Latn'

const joinPlaceholders = (text: string) => placeholdersOf(text).sort().join(',')
const keysOf = ({ texts }: MessageRoom) => [...new Set(Object.values(texts).flatMap((own) => Object.keys(own)))]

/** Problems of one text by itself. */
function findTextProblem(lang: string, text: unknown): string | undefined {
  if (typeof text !== 'string' || !text.trim()) return `is empty in ${lang}`
  if (isLatin(lang)) return CJK.test(text.replace(OWN_NAMES, '')) ? `Chinese characters in ${lang}: ${text}` : undefined
  return !CJK.test(text) && ENGLISH_SENTENCE.test(text) ? `not translated to ${lang}: ${text}` : undefined
}

/** Finds problems of one catalogue: each language is compared with the first. */
export function checkRoom(room: MessageRoom): string[] {
  const langs = Object.keys(room.texts)
  const first = langs[0]!
  return keysOf(room).flatMap((key) => {
    const expected = room.texts[first]![key]
    return langs.flatMap((lang) => {
      const text = room.texts[lang]![key]
      if (text === undefined) return [`${room.path}: ${key}: has no text in ${lang}`]
      const problem = findTextProblem(lang, text)
      if (problem !== undefined) return [`${room.path}: ${key}: ${problem}`]
      if (typeof expected !== 'string' || joinPlaceholders(text) === joinPlaceholders(expected)) return []
      return [`${room.path}: ${key}: placeholders differ: ${first} {${joinPlaceholders(expected)}}, ${lang} {${joinPlaceholders(text)}}`]
    })
  })
}

const listQuoted = (source: string) => new Set([...source.matchAll(/(['"`])([\w.-]+)\1/g)].map((match) => match[2]!))

/**
 * The server joins all features' texts into one table, and the last one wins (platform/server/text-formatter.ts): a key that the server
 * uses, an error's or one that server code passes to `speak`, must have the same text everywhere.
 */
export function checkJoined(rooms: readonly MessageRoom[]): string[] {
  // The operators' pages have separate texts, which the server never uses.
  const joined = rooms.filter((room) => /^(features\/|platform\/shared\/)/.test(room.path) && !/\/console\/messages\//.test(room.path))
  return joined.flatMap((room) => {
    const words = new Set([...room.server.matchAll(/\bspeak\([^,()]+, '([\w.-]+)'/g)].map((match) => match[1]!))
    const spoken = keysOf(room).filter((key) => key.startsWith('error_') || words.has(key))
    return spoken.flatMap((key) =>
      joined
        .filter(
          (other) =>
            other !== room && keysOf(other).includes(key) && Object.keys(room.texts).some((lang) => other.texts[lang]?.[key] !== room.texts[lang]![key]),
        )
        .map((other) => `${room.path}: ${key}: the server speaks it, and ${other.path} has it with other words`),
    )
  })
}

/** `createTextLookup(texts, 'action_')` may use every key with that prefix. */
const listPrefixes = (source: string) =>
  [...source.matchAll(/\b(?:createTextLookup|textsBelow)\(\s*[\w.()]+,\s*'([\w.-]+)'\s*,?\s*\)/g)].map((match) => match[1]!)

const MEMBER = new RegExp(String.raw`(?<=\]|\b(?:t|own|say|words|${LANGS.join('|')}|\w*[tT]exts))!?\.(\w+)`, 'g')

/** Finds keys that `t('...')` uses and no folder has, and keys that nothing in `code` uses; a key built from parts counts as unused. */
export function checkUse(rooms: readonly MessageRoom[], code = rooms.map((room) => room.source).join('\n')): string[] {
  const known = new Set(rooms.flatMap(keysOf))
  const missing = rooms.flatMap((room) =>
    [...room.source.matchAll(/\bt\(\s*'([\w.-]+)'/g)]
      .map((match) => match[1]!)
      .filter((key) => !known.has(key))
      .map((key) => `${room.path}: t('${key}') has no text`),
  )
  // `t.csv_end`, `noticesTexts[lang].sms_code`, `texts.en.title`
  const members = [...code.matchAll(MEMBER)].map((match) => match[1]!)
  const words = new Set([...listQuoted(code), ...members])
  const open = listPrefixes(code)
  const names = new Set([...code.matchAll(/\b([A-Z][A-Z0-9_]{2,})\b/g)].map((match) => match[1]!))
  const isUsed = (key: string) => words.has(key) || (key.startsWith('error_') && names.has(key.slice(6))) || open.some((prefix) => key.startsWith(prefix))
  const unused = rooms.flatMap((room) =>
    keysOf(room)
      .filter((key) => !isUsed(key))
      .map((key) => `${room.path}: ${key}: unused`),
  )
  return [...new Set(missing), ...unused]
}

const readTexts = (files: readonly string[]) => files.map((file) => readFileSync(file, 'utf8')).join('\n')

const TOPS = ['apps', 'features', 'platform', 'ui']
const mayUseTexts = (file: string) => /\.tsx?$/.test(file) && !isTest(file) && !/\/vendors\/sandbox\//.test(file)

/** All code of a tree that may use its texts: the console's frame, for example, uses a room's texts. */
const readCodeWithTexts = (root: string) => readTexts(TOPS.flatMap((top) => walk(join(root, top))).filter(mayUseTexts))

/** Collects all catalogues below `root`, each with the code of its room. */
export function readRooms(root: string): MessageRoom[] {
  const files = TOPS.flatMap((top) => walk(join(root, top)))
  const read = (file: string): TextMessages => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TextMessages) : {})
  return listCatalogues(root).map(({ stem }) => {
    const home = join(root, stem.replace(/messages\/[^/]*$/, ''), '/')
    const code = files.filter((file) => file.startsWith(home) && mayUseTexts(file))
    const server = code.filter((file) => file.startsWith(`${home}server/`))
    return {
      path: stem.replace(/[./]$/, ''),
      texts: mapLangs((lang) => read(join(root, `${stem}${lang}.json`))),
      source: readTexts(code),
      server: readTexts(server),
    }
  })
}

/** Finds duplicate keys in a JSON file: the parser silently keeps the last one. */
export function checkRepeated(path: string, text: string): string[] {
  const seen = new Set<string>()
  return [...text.matchAll(/^\s*"([^"]+)"\s*:/gm)]
    .map((match) => match[1]!)
    .filter((key) => seen.size === seen.add(key).size)
    .map((key) => `${path}: ${key}: stands twice`)
}

export function checkTexts(root: string): string[] {
  const rooms = readRooms(root)
  const files = listCatalogues(root).flatMap(({ stem, langs }) => langs.map((lang) => join(root, `${stem}${lang}.json`)))
  const repeated = files.flatMap((file) => checkRepeated(relative(root, file), readFileSync(file, 'utf8')))
  return [...rooms.flatMap(checkRoom), ...checkJoined(rooms), ...repeated, ...checkUse(rooms, readCodeWithTexts(root))]
}

if (import.meta.main) {
  const problems = [...checkTexts(process.cwd()), ...checkTextNumbers(process.cwd(), readRooms(process.cwd())), ...checkHelp(process.cwd())]
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
