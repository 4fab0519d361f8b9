import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'

/** Path of the first number in a usage object that is not in `known`; undefined if all are known or 0. */
export function findUnknownNumber(raw: Raw, known: ReadonlySet<string>, at = ''): string | undefined {
  for (const key in raw) {
    const value = raw[key]
    // Most figures are 0: skip them without building a path.
    if (value === 0) continue
    const found = findUnknownNumberIn(value, at === '' ? key : `${at}.${key}`, known)
    if (found !== undefined) return found
  }
  return undefined
}

function findUnknownNumberIn(value: unknown, path: string, known: ReadonlySet<string>): string | undefined {
  if (typeof value === 'number') return value === 0 || known.has(path) ? undefined : path
  if (isRaw(value)) return findUnknownNumber(value, known, path)
  if (!Array.isArray(value)) return undefined
  for (const element of value) {
    const found = findUnknownNumberIn(element, `${path}[]`, known)
    if (found !== undefined) return found
  }
  return undefined
}
