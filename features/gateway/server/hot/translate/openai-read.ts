import type { Raw } from '../usage/usage.ts'
import { EFFORTS } from './form.ts'
import { dropField } from './dropped.ts'
import type { NeutralRequest, Effort, Format, MediaPart } from './form.ts'
import { parseDataUrl, readOptionalFlag, hasValue, joinFieldPath, readOptionalObject, rejectField, readOptionalText } from './reading.ts'

/** A tier that costs less than the standard one is a commitment about the price; one that costs more is a hint. */
export function checkTier(body: Raw): void {
  const tier = readOptionalText(body, 'service_tier', '')
  if (tier === undefined || ['auto', 'default', 'standard', 'standard_only'].includes(tier)) return
  if (tier !== 'priority' && tier !== 'fast') rejectField('service_tier')
  dropField('service_tier')
}

/** Reads an effort, case-insensitive; drops unknown words as hints. */
export function readEffort(raw: Raw, key: string, where: string): Effort | undefined {
  const given = readOptionalText(raw, key, where)?.toLowerCase()
  const effort = EFFORTS.find((one) => one === given)
  if (given !== undefined && effort === undefined) dropField(joinFieldPath(where, key))
  return effort
}

export const VERBOSITIES = ['low', 'medium', 'high'] as const

export function readVerbosity(raw: Raw, where: string): NeutralRequest['verbosity'] {
  const given = readOptionalText(raw, 'verbosity', where)
  return VERBOSITIES.find((one) => one === given) ?? (given === undefined ? undefined : void dropField(joinFieldPath(where, 'verbosity')))
}

/** Chat nests name and schema under `json_schema`, Responses does not. */
export function readOpenaiFormat(format: Raw | undefined, where: string, nested: string | undefined): Format | undefined {
  if (format === undefined || format['type'] === 'text') return undefined
  if (format['type'] === 'json_object') return { kind: 'json' }
  if (format['type'] !== 'json_schema') return rejectField(joinFieldPath(where, 'type'))
  const inner = nested === undefined ? format : (readOptionalObject(format, nested, where) ?? rejectField(joinFieldPath(where, nested), 'is required'))
  const place = nested === undefined ? where : joinFieldPath(where, nested)
  return {
    kind: 'schema',
    name: readOptionalText(inner, 'name', place),
    schema: addDescription(
      readOptionalObject(inner, 'schema', place) ?? rejectField(joinFieldPath(place, 'schema'), 'is required'),
      readOptionalText(inner, 'description', place),
    ),
    strict: readOptionalFlag(inner, 'strict', place),
  }
}

/** Adds a format's description to its schema, unless it has one. */
function addDescription(schema: Raw, description: string | undefined): Raw {
  return description === undefined || hasValue(schema, 'description') ? schema : { ...schema, description }
}

/** A data URL becomes inline data; any other URL stays one. */
export function parseMediaUrl(url: string, kind: MediaPart['kind'], at: string, more: Pick<MediaPart, 'name' | 'detail'> = {}): MediaPart {
  const inline = parseDataUrl(url)
  if (inline === undefined && !/^https?:/i.test(url)) rejectField(at, 'must be a data URL in base64 or an http(s) URL')
  return { kind, at, mime: inline?.mime ?? '', data: inline?.data, url: inline === undefined ? url : undefined, ...more }
}
