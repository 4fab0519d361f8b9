import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'
import { dropField } from './dropped.ts'
import { UntranslatableError } from './form.ts'
import type { NeutralRequest, MediaPart, Seal, Settings, ModelDialect, MessageTextPart } from './form.ts'

/** Small readers of a caller's JSON: each refuses by the field's name. null counts as absent, as vendors treat it. */
export function rejectField(field: string, why = 'cannot be translated for this model'): never {
  throw new UntranslatableError(field, `\`${field}\` ${why}. Leave it out, or use a model that speaks this API itself.`)
}

export const hasValue = (raw: Raw, key: string): boolean => raw[key] !== undefined && raw[key] !== null

/** Drops unknown members as hints, by name; refuses those in `decisive`, which would change the answer. */
export function checkKnownMembers(raw: Raw, where: string, known: ReadonlySet<string>, decisive: ReadonlySet<string> = NOTHING): void {
  for (const key in raw) {
    if (known.has(key) || !hasValue(raw, key)) continue
    if (decisive.has(key) && !isEmptySetting(raw[key])) rejectField(joinFieldPath(where, key))
    dropField(joinFieldPath(where, key))
  }
}
const NOTHING: ReadonlySet<string> = new Set()
/** True if the value is present but requests nothing. An empty object may request everything, so only empty lists qualify. */
const isEmptySetting = (value: unknown): boolean => value === false || value === '' || (Array.isArray(value) && value.length === 0)

export const joinFieldPath = (where: string, key: string | number): string =>
  typeof key === 'number' ? `${where}[${key}]` : where === '' ? key : `${where}.${key}`

export function readOptionalText(raw: Raw, key: string, where: string): string | undefined {
  if (!hasValue(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'string' ? value : rejectField(joinFieldPath(where, key), 'must be a string')
}

export function readRequiredText(raw: Raw, key: string, where: string): string {
  return readOptionalText(raw, key, where) ?? rejectField(joinFieldPath(where, key), 'is required')
}

export function readOptionalNumber(raw: Raw, key: string, where: string): number | undefined {
  if (!hasValue(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'number' ? value : rejectField(joinFieldPath(where, key), 'must be a number')
}

export function readOptionalFlag(raw: Raw, key: string, where: string): boolean | undefined {
  if (!hasValue(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'boolean' ? value : rejectField(joinFieldPath(where, key), 'must be true or false')
}

export function readOptionalObject(raw: Raw, key: string, where: string): Raw | undefined {
  if (!hasValue(raw, key)) return undefined
  const value = raw[key]
  return isRaw(value) ? value : rejectField(joinFieldPath(where, key), 'must be an object')
}

export function readObjectList(raw: Raw, key: string, where: string): readonly Raw[] {
  if (!hasValue(raw, key)) return []
  const value = raw[key]
  if (!Array.isArray(value)) return rejectField(joinFieldPath(where, key), 'must be an array')
  return value.map((item: unknown, at) => (isRaw(item) ? item : rejectField(joinFieldPath(joinFieldPath(where, key), at), 'must be an object')))
}

export function readTextList(raw: Raw, key: string, where: string): readonly string[] {
  if (!hasValue(raw, key)) return []
  const value = raw[key]
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return rejectField(joinFieldPath(where, key), 'must be an array of strings')
  return value.map((item: unknown, at) => (typeof item === 'string' ? item : rejectField(joinFieldPath(joinFieldPath(where, key), at), 'must be a string')))
}

/** Likewise for a vendor's data: invalid values count as absent. */
export const toTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
export const toObjectOrEmpty = (value: unknown): Raw => (isRaw(value) ? value : {})
export const toObjectList = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.filter(isRaw) : [])

/** Omits a setting with its API's default value, because other APIs have other defaults. */
export function omitDefault(value: number | undefined, usual: number): number | undefined {
  return value === usual ? undefined : value
}

/** Treats too small values as unset: frameworks with always numeric settings send -1. */
export function omitBelow(least: number, value: number | undefined): number | undefined {
  return value === undefined || value < least ? undefined : value
}

/** Settings that the written dialect does not have. */
export function dropSettings(settings: Settings, at: Readonly<Record<keyof Settings, string>>, ...keys: readonly (keyof Settings)[]): void {
  for (const key of keys) if (settings[key] !== undefined) dropField(at[key])
}

/**
 * Arguments are the JSON of an object, since the other dialects require one. If a call was cut off, its arguments are kept as far as they
 * can be closed; invalid ones become a call without arguments.
 */
export function readCallArguments(raw: Raw, key: string, where: string): string {
  if (isRaw(raw[key])) return JSON.stringify(raw[key])
  const args = readOptionalText(raw, key, where) ?? ''
  if (args.trim() === '') return '{}'
  for (const whole of [args, closeJson(args)]) {
    try {
      if (!isRaw(JSON.parse(whole))) continue
      if (whole !== args) dropField(joinFieldPath(where, key))
      return whole
    } catch {
      // the next
    }
  }
  dropField(joinFieldPath(where, key))
  return '{}'
}

/** Scanned by hand: a pattern would rescan every run of blanks or backslashes. */
function trimTrailingComma(json: string): string {
  let end = json.length
  while (end > 0 && ', \t\r\n'.includes(json[end - 1]!)) end--
  return json.slice(0, end)
}

/** Removes the first half of an escape. */
function trimHalfEscape(json: string): string {
  let start = json.length
  while (start > 0 && json[start - 1] === '\\') start--
  return (json.length - start) % 2 === 1 ? json.slice(0, -1) : json
}

/** Completes a truncated JSON text by closing its string and brackets. */
function closeJson(json: string): string {
  const open: string[] = []
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const letter = json[i]!
    if (isText) {
      if (letter === '\\') i++
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']')
    else if (letter === '}' || letter === ']') open.pop()
  }
  return `${isText ? `${trimHalfEscape(json)}"` : trimTrailingComma(json)}${open.toReversed().join('')}`
}

export function parseCallArguments(args: string): Raw {
  try {
    const value: unknown = JSON.parse(args)
    return isRaw(value) ? value : {}
  } catch {
    return {}
  }
}

/** `data:image/png;base64,...` */
export function parseDataUrl(url: string): { readonly mime: string; readonly data: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const head = url.slice(5, comma)
  if (!head.endsWith(';base64')) return undefined
  return { mime: normalizeMime(head.slice(0, -7).split(';')[0]!), data: url.slice(comma + 1) }
}

export const joinTextParts = (parts: readonly MessageTextPart[]): string => parts.map((part) => part.text).join('\n')

/** Only some vendors support the level of detail for images. */
export function dropDetail(part: MediaPart): void {
  if (part.detail !== undefined && part.detail !== 'auto') dropField(`${part.at}.detail`)
}

/** Likewise for an answer's length; the middle is the default anyway. */
export function dropVerbosity({ verbosity, at }: Pick<NeutralRequest, 'verbosity' | 'at'>): void {
  if (verbosity !== undefined && verbosity !== 'medium') dropField(at.verbosity ?? 'verbosity')
}

/** Some clients use this name for JPEG. */
export const normalizeMime = (mime: string): string => (mime.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mime.toLowerCase())

const SEAL_MARK = 'mx1'

/** Wraps a foreign seal as text that any dialect carries and returns unread. Base64, since one of them requires it. */
export function wrapSeal(seal: Seal): string {
  return Buffer.from(`${SEAL_MARK} ${seal.from} ${seal.kind} ${seal.value}`).toString('base64')
}

/** Parses a returned seal: one that we wrapped, or one of the dialect's own models. */
export function unwrapSeal(value: string, own: ModelDialect, kind: Seal['kind'] = 'signature'): Seal {
  const plain = value.startsWith('bXgxI') ? Buffer.from(value, 'base64').toString() : ''
  const match = /^mx1 ([a-z-]+) (signature|redacted) ([^]*)$/.exec(plain)
  return match === null ? { from: own, kind, value } : { from: match[1] as ModelDialect, kind: match[2] as Seal['kind'], value: match[3]! }
}

/** The seal's own text for the dialect that gave it; carried for another one. */
export function formatSeal(seal: Seal, to: ModelDialect): string {
  return seal.from === to ? seal.value : wrapSeal(seal)
}
