import type { Raw } from '../usage.ts'
import { EFFORTS } from './form.ts'
import type { Effort, Format, MediaPart } from './form.ts'
import { dataUrl, flag, has, join, object, refuse, text } from './reading.ts'

/** How long an answer is: only the middle, which is the default, is the same as saying nothing. */
export function mediumOnly(raw: Raw, key: string, where: string): void {
  const value = text(raw, key, where)
  if (value !== undefined && value !== 'medium') refuse(join(where, key))
}

export function checkTier(body: Raw): void {
  const tier = text(body, 'service_tier', '')
  if (tier !== undefined && !['auto', 'default', 'standard', 'standard_only'].includes(tier)) refuse('service_tier')
}

export function effortOf(raw: Raw, key: string, where: string): Effort | undefined {
  const effort = text(raw, key, where)?.toLowerCase()
  if (effort === undefined) return undefined
  return EFFORTS.find((one) => one === effort) ?? refuse(join(where, key), `must be one of ${EFFORTS.join(', ')}`)
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

/** Where a format has no description of its own, its schema has one. */
function described(schema: Raw, description: string | undefined): Raw {
  return description === undefined || has(schema, 'description') ? schema : { ...schema, description }
}

/** A data URL becomes inline data; any other URL stays one. */
export function mediaFrom(url: string, kind: MediaPart['kind'], at: string, more: Pick<MediaPart, 'name' | 'detail'> = {}): MediaPart {
  const inline = dataUrl(url)
  if (inline === undefined && !/^https?:/.test(url)) refuse(at, 'must be a data URL in base64 or an http(s) URL')
  return { kind, at, mime: inline?.mime ?? '', data: inline?.data, url: inline === undefined ? url : undefined, ...more }
}
