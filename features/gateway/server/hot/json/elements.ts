import { scanObject, skipSpace, skipValue } from './scan.ts'
import type { JsonMember } from './scan.ts'

const OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  OPEN_OBJECT = 123,
  COMMA = 44,
  QUOTE = 34,
  NULL = 110

/** Calls `visit` with the wanted members of each object in an array, or of the value itself if it is one. False ends the iteration. */
export function visitObjects(buf: Buffer, range: JsonMember, wanted: readonly string[] | undefined, visit: (members: readonly JsonMember[]) => unknown): void {
  /** Index after the object, read in one pass; negative if there are no more to read. */
  const look = (start: number): number => {
    const found: JsonMember[] = []
    const end = scanObject(buf, start, range.end, wanted, found)
    return end > 0 && visit(found) === false ? -1 : end
  }
  if (buf[range.start] === OPEN_OBJECT) look(range.start)
  if (buf[range.start] !== OPEN_ARRAY) return
  let i = skipSpace(buf, range.start + 1, range.end)
  while (i < range.end && buf[i] !== CLOSE_ARRAY) {
    const end = buf[i] === OPEN_OBJECT ? look(i) : skipValue(buf, i, range.end)
    if (end < 0) return
    i = skipSpace(buf, end, range.end)
    if (buf[i] === COMMA) i = skipSpace(buf, i + 1, range.end)
  }
}

/** Values of all members of that name except null: if a name is repeated, vendors differ in which one they take. */
export const filterMembers = (buf: Buffer, members: readonly JsonMember[], ...keys: readonly string[]): JsonMember[] =>
  members.filter((member) => keys.includes(member.key) && buf[member.start] !== NULL)

/** True if a member has a value: null counts as absent. */
export const hasMemberValue = (buf: Buffer, member: JsonMember): boolean => buf[member.start] !== NULL

/** A short text; undefined for anything else. */
export function decodeShortText(buf: Buffer, range: JsonMember | undefined): string | undefined {
  if (range === undefined || buf[range.start] !== QUOTE || range.end - range.start > 300) return undefined
  try {
    return JSON.parse(buf.toString('utf8', range.start, range.end)) as string
  } catch {
    return undefined
  }
}

const BACKSLASH = 92

/** True if a JSON string is this ASCII word, also if written with escapes. Most differ in length already. */
export function isWord(buf: Buffer, { start, end }: JsonMember, word: string): boolean {
  const length = end - start - 2
  if (buf[start] !== QUOTE || length < word.length || length > 6 * word.length) return false
  if (length === word.length) return buf.toString('latin1', start + 1, end - 1) === word
  for (let at = start + 1; at < end; at++) if (buf[at] === BACKSLASH) return decodeShortText(buf, { key: '', start, end }) === word
  return false
}

/** Distinct texts of a member that may be repeated; empty for other values. */
export function readMemberTexts(buf: Buffer, members: readonly JsonMember[], key: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const member of members) if (member.key === key && hasMemberValue(buf, member)) words.add(decodeShortText(buf, member) ?? '')
  return words
}

/** A whole number of at least 0; undefined for anything else. */
export function parseWholeNumber(buf: Buffer, range: JsonMember | undefined): number | undefined {
  if (range === undefined || range.end - range.start > 24) return undefined
  const value = Number(buf.toString('latin1', range.start, range.end))
  return Number.isInteger(value) && value >= 0 ? value : undefined
}

/** Text of a member by its name; the last one if it is repeated. */
export const readMemberWord = (buf: Buffer, members: readonly JsonMember[], key: string): string | undefined =>
  decodeShortText(
    buf,
    members.findLast((member) => member.key === key),
  )

export const readMemberWholeNumber = (buf: Buffer, members: readonly JsonMember[], key: string): number | undefined =>
  parseWholeNumber(
    buf,
    members.findLast((member) => member.key === key),
  )

const ESCAPED_LETTER = Buffer.from('\\u00')

/** In larger bodies a walk is cheaper than a search, because it uses the recorded ends: 16 MB that nearly are the word take 30 ms. */
export const MAX_SEARCHED_BYTES = 262_144

/** True if one of these words may be in the bytes, escaped or not: a reason for a closer check. */
export const mayContainWords = (buf: Buffer, words: readonly string[]): boolean =>
  buf.length >= MAX_SEARCHED_BYTES || words.some((word) => buf.includes(word)) || buf.includes(ESCAPED_LETTER)
