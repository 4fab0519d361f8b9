import { findLastMember, readTopLevel } from '../json/members.ts'
import { parseRange, skipSpace, skipValue } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { isForm, scanForm } from './form.ts'
import type { FormPart } from './form.ts'
import type { FieldProblem } from '../problem.ts'

/** A request's own fields, from JSON or a form; only names are read, and values stay in the body until requested. */
export interface RequestFields {
  readonly body: Buffer
  readonly isForm: boolean
  readonly members: readonly (JsonMember | FormPart)[]
}

const NULL = 110,
  QUOTE = 34,
  OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93,
  COMMA = 44

/** `wanted` are read from JSON; a form gives all its parts. A form field that is a list is written `name[]` or repeated. */
export function readRequestFields(body: Buffer, contentType: string, wanted: readonly string[], takesForms: boolean): RequestFields | FieldProblem {
  if (isForm(contentType)) {
    if (!takesForms) return { field: undefined, message: 'This route takes JSON (content-type: application/json), not a form.' }
    const parts = scanForm(body, contentType)
    return Array.isArray(parts) ? { body, isForm: true, members: parts } : parts
  }
  const members = readTopLevel(body, wanted)
  return Array.isArray(members) ? { body, isForm: false, members } : members
}

/** The unparsed field; null in JSON counts as absent. */
export function findRequestField(fields: RequestFields, key: string): JsonMember | FormPart | undefined {
  const found = findLastMember(fields.members as readonly JsonMember[], key)
  return found !== undefined && !fields.isForm && fields.body[found.start] === NULL ? undefined : found
}

/** In a form, a field must not be repeated if vendors may read either the first or the last one. */
export function findRepeatedField(fields: RequestFields, keys: readonly string[]): FieldProblem | undefined {
  if (!fields.isForm) return undefined
  for (const key of keys)
    if (fields.members.filter((member) => member.key === key).length > 1) return { field: key, message: `\`${key}\` is there more than once.` }
  return undefined
}

/** Text of a field; undefined if absent or not text. */
export function readFieldText(fields: RequestFields, key: string, most = 1_000_000): string | undefined {
  const at = findRequestField(fields, key)
  if (at === undefined || at.end - at.start > most * 6) return undefined
  if (fields.isForm) return (at as FormPart).isFile ? undefined : fields.body.toString('utf8', at.start, at.end)
  const value = fields.body[at.start] === QUOTE ? parseRange(fields.body, at) : undefined
  return typeof value === 'string' ? value : undefined
}

/** A positive whole number; undefined if absent or invalid, which the vendor refuses itself. */
export function readFieldCount(fields: RequestFields, key: string): number | undefined {
  const at = findRequestField(fields, key)
  if (at === undefined || at.end - at.start > 24) return undefined
  const value = Number(fields.body.toString('latin1', at.start, at.end))
  return Number.isFinite(value) && value > 0 ? Math.ceil(value) : undefined
}

/** `true` or `false`; undefined for anything else. */
export function readFieldFlag(fields: RequestFields, key: string): boolean | undefined {
  const at = findRequestField(fields, key)
  if (at === undefined) return false
  const text = fields.body
    .toString('latin1', at.start, Math.min(at.end, at.start + 8))
    .trim()
    .toLowerCase()
  return text === 'true' ? true : text === 'false' || text === '' ? false : undefined
}

/** Files of that name, including `name[]` and `name[0]`. */
export function listFormFiles(fields: RequestFields, key: string): FormPart[] {
  if (!fields.isForm) return []
  return (fields.members as readonly FormPart[]).filter(
    (part) => part.isFile && (part.key === key || (part.key.startsWith(key) && part.key[key.length] === '[')),
  )
}

/** Elements of a JSON array; 1 for any other value, 0 when absent. */
export function countFieldElements(fields: RequestFields, key: string): number {
  const at = fields.isForm ? undefined : findRequestField(fields, key)
  if (at === undefined) return 0
  const { body } = fields
  if (body[at.start] !== OPEN_ARRAY) return 1
  let i = skipSpace(body, at.start + 1, at.end)
  if (body[i] === CLOSE_ARRAY) return 0
  for (let elements = 1; ; elements++) {
    i = skipValue(body, i, at.end)
    if (i < 0) return elements
    i = skipSpace(body, i, at.end)
    if (body[i] !== COMMA) return elements
    i = skipSpace(body, i + 1, at.end)
  }
}
