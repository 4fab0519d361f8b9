import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'

/** The first number of a usage object that nobody here knows, by its path; undefined where all are known, or are 0. */
export function unknownNumber(raw: Raw, known: ReadonlySet<string>, at = ''): string | undefined {
  for (const key in raw) {
    const value = raw[key]
    // Most figures are 0: no path is made for them.
    if (value === 0) continue
    const found = unknownIn(value, at === '' ? key : `${at}.${key}`, known)
    if (found !== undefined) return found
  }
  return undefined
}

function unknownIn(value: unknown, path: string, known: ReadonlySet<string>): string | undefined {
  if (typeof value === 'number') return value === 0 || known.has(path) ? undefined : path
  if (isRaw(value)) return unknownNumber(value, known, path)
  if (!Array.isArray(value)) return undefined
  for (const element of value) {
    const found = unknownIn(element, `${path}[]`, known)
    if (found !== undefined) return found
  }
  return undefined
}
