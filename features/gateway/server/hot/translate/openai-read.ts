import type { Raw } from '../usage/usage.ts'
import { EFFORTS } from './form.ts'
import { drop } from './dropped.ts'
import type { Ask, Effort, Format, MediaPart } from './form.ts'
import { dataUrl, flag, has, join, object, refuse, text } from './reading.ts'

/** A tier that costs less than the standard one is a promise about the price; one that costs more is a hint. */
export function checkTier(body: Raw): void {
  const tier = text(body, 'service_tier', '')
  if (tier === undefined || ['auto', 'default', 'standard', 'standard_only'].includes(tier)) return
  if (tier !== 'priority' && tier !== 'fast') refuse('service_tier')
  drop('service_tier')
}

/** Reads an effort, case-insensitive; drops unknown words as hints. */
export function effortOf(raw: Raw, key: string, where: string): Effort | undefined {
  const given = text(raw, key, where)?.toLowerCase()
  const effort = EFFORTS.find((one) => one === given)
  if (given !== undefined && effort === undefined) drop(join(where, key))
  return effort
}

export const VERBOSITIES = ['low', 'medium', 'high'] as const

export function verbosityOf(raw: Raw, where: string): Ask['verbosity'] {
  const given = text(raw, 'verbosity', where)
  return VERBOSITIES.find((one) => one === given) ?? (given === undefined ? undefined : void drop(join(where, 'verbosity')))
}

/** Chat nests name and schema under `json_schema`, Responses does not. */
export function formatOf(format: Raw | undefined, where: string, nested: string | undefined): Format | undefined {
  if (format === undefined || format['type'] === 'text') return undefined
  if (format['type'] === 'json_object') return { kind: 'json' }
  if (format['type'] !== 'json_schema') return refuse(join(where, 'type'))
  const inner = nested === undefined ? format : (object(format, nested, where) ?? refuse(join(where, nested), 'is required'))
  const place = nested === undefined ? where : join(where, nested)
  return {
    kind: 'schema',
    name: text(inner, 'name', place),
    schema: described(object(inner, 'schema', place) ?? refuse(join(place, 'schema'), 'is required'), text(inner, 'description', place)),
    strict: flag(inner, 'strict', place),
  }
}

/** Adds a format's description to its schema, unless it has one. */
function described(schema: Raw, description: string | undefined): Raw {
  return description === undefined || has(schema, 'description') ? schema : { ...schema, description }
}

/** A data URL becomes inline data; any other URL stays one. */
export function mediaFrom(url: string, kind: MediaPart['kind'], at: string, more: Pick<MediaPart, 'name' | 'detail'> = {}): MediaPart {
  const inline = dataUrl(url)
  if (inline === undefined && !/^https?:/i.test(url)) refuse(at, 'must be a data URL in base64 or an http(s) URL')
  return { kind, at, mime: inline?.mime ?? '', data: inline?.data, url: inline === undefined ? url : undefined, ...more }
}
