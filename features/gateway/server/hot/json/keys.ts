/** Keys of members, as spelled in the bytes. */

const BACKSLASH = 92
/** A key, or a text around it, that is no JSON. */
export const MALFORMED = -2

/** No wanted key is longer; the rest need no text. Six bytes for each escaped letter. */
const LONGEST_KEY = 40 * 6

/** The key between two quotes where it is wanted. No text is made of it: a text that is looked up costs more than its bytes. */
export function matchWantedKey(buf: Buffer, start: number, end: number, wanted: readonly string[]): string | undefined | typeof MALFORMED {
  if (end - start > LONGEST_KEY) return undefined
  const from = start + 1
  const length = end - 1 - from
  for (let i = from; i < end - 1; i++) {
    if (buf[i] !== BACKSLASH) continue
    const key = decodeJsonString(buf, start, end)
    return key === MALFORMED || wanted.includes(key) ? key : undefined
  }
  const likely = wanted.length > FEW_KEYS ? (byLength(wanted)[length] ?? NONE) : wanted
  for (let i = 0; i < likely.length; i++) {
    const key = likely[i]!
    if (key.length === length && isAt(buf, from, key)) return key
  }
  return undefined
}

const NONE: readonly string[] = []
/** Of more, only those as long as what was found are compared. */
const FEW_KEYS = 8
type ByLength = readonly (readonly string[] | undefined)[]
const lengths = new WeakMap<readonly string[], ByLength>()
/** An object's keys are looked for one after the other, all in the same names. */
let latest: readonly string[] = NONE
let latestLengths: ByLength = []

function byLength(wanted: readonly string[]): ByLength {
  if (wanted === latest) return latestLengths
  latest = wanted
  latestLengths = lengths.get(wanted) ?? sortedByLength(wanted)
  return latestLengths
}

function sortedByLength(wanted: readonly string[]): ByLength {
  const sorted: string[][] = []
  for (const key of wanted) (sorted[key.length] ??= []).push(key)
  lengths.set(wanted, sorted)
  return sorted
}

function isAt(buf: Buffer, from: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (buf[from + i] !== ascii.charCodeAt(i)) return false
  return true
}

export function decodeJsonString(buf: Buffer, start: number, end: number): string | typeof MALFORMED {
  const raw = buf.toString('latin1', start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return MALFORMED
  }
}
