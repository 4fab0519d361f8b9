import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'
import { drop } from './dropped.ts'
import { Unexpressible } from './form.ts'
import type { Ask, MediaPart, Seal, Settings, Spoken, TextPart } from './form.ts'

/** Small readers of a caller's JSON: each refuses by the field's name. null counts as absent, as the vendors have it. */
export function refuse(field: string, why = 'cannot be translated for this model'): never {
  throw new Unexpressible(field, `\`${field}\` ${why}. Leave it out, or use a model that speaks this API itself.`)
}

export const has = (raw: Raw, key: string): boolean => raw[key] !== undefined && raw[key] !== null

/** Drops unknown members as hints, by name; refuses those in `decisive`, which would change the answer. */
export function only(raw: Raw, where: string, known: ReadonlySet<string>, decisive: ReadonlySet<string> = NOTHING): void {
  for (const key in raw) {
    if (known.has(key) || !has(raw, key)) continue
    if (decisive.has(key) && !isNothing(raw[key])) refuse(join(where, key))
    drop(join(where, key))
  }
}
const NOTHING: ReadonlySet<string> = new Set()
/** Said, and asking for nothing. An empty object may ask for everything: of those only lists. */
const isNothing = (value: unknown): boolean => value === false || value === '' || (Array.isArray(value) && value.length === 0)

export const join = (where: string, key: string | number): string => (typeof key === 'number' ? `${where}[${key}]` : where === '' ? key : `${where}.${key}`)

export function text(raw: Raw, key: string, where: string): string | undefined {
  if (!has(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'string' ? value : refuse(join(where, key), 'must be a string')
}

export function mustText(raw: Raw, key: string, where: string): string {
  return text(raw, key, where) ?? refuse(join(where, key), 'is required')
}

export function number(raw: Raw, key: string, where: string): number | undefined {
  if (!has(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'number' ? value : refuse(join(where, key), 'must be a number')
}

export function flag(raw: Raw, key: string, where: string): boolean | undefined {
  if (!has(raw, key)) return undefined
  const value = raw[key]
  return typeof value === 'boolean' ? value : refuse(join(where, key), 'must be true or false')
}

export function object(raw: Raw, key: string, where: string): Raw | undefined {
  if (!has(raw, key)) return undefined
  const value = raw[key]
  return isRaw(value) ? value : refuse(join(where, key), 'must be an object')
}

export function objects(raw: Raw, key: string, where: string): readonly Raw[] {
  if (!has(raw, key)) return []
  const value = raw[key]
  if (!Array.isArray(value)) return refuse(join(where, key), 'must be an array')
  return value.map((item: unknown, at) => (isRaw(item) ? item : refuse(join(join(where, key), at), 'must be an object')))
}

export function texts(raw: Raw, key: string, where: string): readonly string[] {
  if (!has(raw, key)) return []
  const value = raw[key]
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return refuse(join(where, key), 'must be an array of strings')
  return value.map((item: unknown, at) => (typeof item === 'string' ? item : refuse(join(join(where, key), at), 'must be a string')))
}

/** Same, for what a vendor sent: nonsense is nothing. */
export const str = (value: unknown): string => (typeof value === 'string' ? value : '')
export const obj = (value: unknown): Raw => (isRaw(value) ? value : {})
export const list = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.filter(isRaw) : [])

/** Omits a setting with its API's default value, because other APIs have other defaults. */
export function unlessDefault(value: number | undefined, usual: number): number | undefined {
  return value === usual ? undefined : value
}

/** Treats too small values as unset: frameworks with always numeric settings send -1. */
export function above(least: number, value: number | undefined): number | undefined {
  return value === undefined || value < least ? undefined : value
}

/** Settings that the written dialect does not have. */
export function leaveOut(settings: Settings, at: Readonly<Record<keyof Settings, string>>, ...keys: readonly (keyof Settings)[]): void {
  for (const key of keys) if (settings[key] !== undefined) drop(at[key])
}

/**
 * Arguments are an object's JSON, since that is what the other dialects have. Of a call that was cut off as it was written, what came is
 * kept as far as it can be closed; what makes no sense at all is a call without arguments.
 */
export function argsOf(raw: Raw, key: string, where: string): string {
  if (isRaw(raw[key])) return JSON.stringify(raw[key])
  const args = text(raw, key, where) ?? ''
  if (args.trim() === '') return '{}'
  for (const whole of [args, closed(args)]) {
    try {
      if (!isRaw(JSON.parse(whole))) continue
      if (whole !== args) drop(join(where, key))
      return whole
    } catch {
      // the next
    }
  }
  drop(join(where, key))
  return '{}'
}

/** By hand: a pattern would look at every run of blanks or backslashes again and again. */
function withoutComma(json: string): string {
  let end = json.length
  while (end > 0 && ', \t\r\n'.includes(json[end - 1]!)) end--
  return json.slice(0, end)
}

/** Without the first half of an escape. */
function withoutHalf(json: string): string {
  let start = json.length
  while (start > 0 && json[start - 1] === '\\') start--
  return (json.length - start) % 2 === 1 ? json.slice(0, -1) : json
}

/** A JSON text that ends too early, with its string and brackets closed. */
function closed(json: string): string {
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
  return `${isText ? `${withoutHalf(json)}"` : withoutComma(json)}${open.toReversed().join('')}`
}

export function parsedArgs(args: string): Raw {
  try {
    const value: unknown = JSON.parse(args)
    return isRaw(value) ? value : {}
  } catch {
    return {}
  }
}

/** `data:image/png;base64,...` */
export function dataUrl(url: string): { readonly mime: string; readonly data: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const head = url.slice(5, comma)
  if (!head.endsWith(';base64')) return undefined
  return { mime: mimeOf(head.slice(0, -7).split(';')[0]!), data: url.slice(comma + 1) }
}

export const joined = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join('\n')

/** How closely a picture is looked at can only be said to some vendors. */
export function plainDetail(part: MediaPart): void {
  if (part.detail !== undefined && part.detail !== 'auto') drop(`${part.at}.detail`)
}

/** The same of an answer's length; the middle is what holds anyway. */
export function noVerbosity({ verbosity, at }: Pick<Ask, 'verbosity' | 'at'>): void {
  if (verbosity !== undefined && verbosity !== 'medium') drop(at.verbosity ?? 'verbosity')
}

/** A name that some clients have for JPEG. */
export const mimeOf = (mime: string): string => (mime.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mime.toLowerCase())

const MARK = 'mx1'

/** A foreign seal as text that any dialect carries and gives back unread. Base64, since one of them demands it. */
export function carry(seal: Seal): string {
  return Buffer.from(`${MARK} ${seal.from} ${seal.kind} ${seal.value}`).toString('base64')
}

/** Parses a returned seal: one that we wrapped, or one of the dialect's own models. */
export function uncarry(value: string, own: Spoken, kind: Seal['kind'] = 'signature'): Seal {
  const plain = value.startsWith('bXgxI') ? Buffer.from(value, 'base64').toString() : ''
  const match = /^mx1 ([a-z-]+) (signature|redacted) ([^]*)$/.exec(plain)
  return match === null ? { from: own, kind, value } : { from: match[1] as Spoken, kind: match[2] as Seal['kind'], value: match[3]! }
}

/** The seal's own text for the dialect that gave it; carried for another one. */
export function shownSeal(seal: Seal, to: Spoken): string {
  return seal.from === to ? seal.value : carry(seal)
}
