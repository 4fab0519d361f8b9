/** Keys of members, as spelled in the bytes. */

const BACKSLASH = 92
/** A key, or the text around it, that is not JSON. */
export const MALFORMED = -2

/** No wanted key is longer; longer ones are not decoded. Six bytes for each escaped letter. */
const LONGEST_KEY = 40 * 6

/** Returns the key between two quotes if it is wanted, without creating a string: looking one up is slower than comparing its bytes. */
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
/** With more keys, compare only those of the same length. */
const FEW_KEYS = 8
type ByLength = readonly (readonly string[] | undefined)[]
const lengths = new WeakMap<readonly string[], ByLength>()
/** Caches the last names: the keys of an object are matched one after the other against the same ones. */
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
