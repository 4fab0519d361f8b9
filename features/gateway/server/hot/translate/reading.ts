import { isRaw } from '../usage.ts'
import type { Raw } from '../usage.ts'
import { Unexpressible } from './form.ts'
import type { MediaPart, Seal, Settings, Spoken, TextPart } from './form.ts'

/** Small readers of a caller's JSON: each refuses by the field's name. null counts as absent, as the vendors have it. */
export function refuse(field: string, why = 'cannot be translated for this model'): never {
  throw new Unexpressible(field, `\`${field}\` ${why}. Leave it out, or use a model that speaks this API itself.`)
}

export const has = (raw: Raw, key: string): boolean => raw[key] !== undefined && raw[key] !== null

/** Every member that is there must be known, or be one that does not touch the answer. */
export function only(raw: Raw, where: string, known: ReadonlySet<string>): void {
  for (const key in raw) if (!known.has(key) && has(raw, key)) refuse(join(where, key))
}

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

/** Saying what holds anyway is saying nothing: a setting with its API's own default is left out, since others have other defaults. */
export function unlessDefault(value: number | undefined, usual: number): number | undefined {
  return value === usual ? undefined : value
}

/** A setting that the written dialect does not have. */
export function cannot(settings: Settings, at: Readonly<Record<keyof Settings, string>>, ...keys: readonly (keyof Settings)[]): void {
  for (const key of keys) if (settings[key] !== undefined) refuse(at[key])
}

/** Arguments must be an object's JSON: that is what the other dialects have. */
export function argsOf(raw: Raw, key: string, where: string): string {
  const args = text(raw, key, where) ?? ''
  if (args.trim() === '') return '{}'
  try {
    if (isRaw(JSON.parse(args))) return args
  } catch {
    // said below
  }
  return refuse(join(where, key), 'must be the JSON text of an object')
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
  return { mime: head.slice(0, -7).split(';')[0]!.toLowerCase(), data: url.slice(comma + 1) }
}

export const joined = (parts: readonly TextPart[]): string => parts.map((part) => part.text).join('\n')

/** How closely a picture is looked at can only be said to some vendors. */
export function plainDetail(part: MediaPart): void {
  if (part.detail !== undefined && part.detail !== 'auto') refuse(`${part.at}.detail`)
}

const MARK = 'mx1'

/** A foreign seal as text that any dialect carries and gives back unread. Base64, since one of them demands it. */
export function carry(seal: Seal): string {
  return Buffer.from(`${MARK} ${seal.from} ${seal.kind} ${seal.value}`).toString('base64')
}

/** What came back: our own carried seal, or one of the dialect's own models. */
export function uncarry(value: string, own: Spoken, kind: Seal['kind'] = 'signature'): Seal {
  const plain = value.startsWith('bXgxI') ? Buffer.from(value, 'base64').toString() : ''
  const match = /^mx1 ([a-z-]+) (signature|redacted) ([^]*)$/.exec(plain)
  return match === null ? { from: own, kind, value } : { from: match[1] as Spoken, kind: match[2] as Seal['kind'], value: match[3]! }
}

/** The seal's own text for the dialect that gave it; carried for another one. */
export function shownSeal(seal: Seal, to: Spoken): string {
  return seal.from === to ? seal.value : carry(seal)
}
