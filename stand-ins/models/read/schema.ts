import { isObject, toList, num, obj, objects, str, strings, type Json, type JsonObject } from './json.ts'
import { textFor } from './pattern.ts'

/** How values are made: `word` gives the text for a string field, from the question where it can. */
export interface Filling {
  readonly question: string
  readonly word: (name: string) => string
  readonly number: number
}

const DEPTH = 6

/** A value that conforms to a JSON schema (draft 2020-12's common part, and Gemini's upper-case OpenAPI types). */
export function valueFor(schema: Json | undefined, filling: Filling, name = 'value', root = schema, depth = 0): Json {
  if (!isObject(schema)) return filling.word(name)
  const reference = str(schema['$ref'])
  if (reference) return depth > DEPTH ? null : valueFor(resolve(root, reference), filling, name, root, depth + 1)
  if ('const' in schema) return schema['const'] ?? null
  const choices = toList(schema['enum'])
  if (choices.length) return pick(choices, filling)
  const merged = objects(schema['allOf'])
  if (merged.length) return valueFor(merge(schema, merged, root), filling, name, root, depth + 1)
  const unions = [...objects(schema['anyOf']), ...objects(schema['oneOf'])]
  if (unions.length) return valueFor(depth > DEPTH ? (unions.find((u) => typeOf(u) === 'null') ?? unions[0]) : unions[0], filling, name, root, depth + 1)
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(schema, filling, root, depth)
    case 'array':
      return arrayFor(schema, filling, name, root, depth)
    case 'integer':
      return numberFor(schema, filling, true)
    case 'number':
      return numberFor(schema, filling, false)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return stringFor(schema, filling, name)
  }
}

function typeOf(schema: JsonObject): string {
  const type = str(schema['type']) ?? strings(schema['type']).find((one) => one !== 'null')
  if (type) return type.toLowerCase()
  return schema['properties'] ? 'object' : schema['items'] ? 'array' : 'string'
}

function resolve(root: Json | undefined, reference: string): Json | undefined {
  let at = root
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    at = obj(at)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return at
}

function merge(schema: JsonObject, parts: readonly JsonObject[], root: Json | undefined): JsonObject {
  const properties: Record<string, Json | undefined> = { ...obj(schema['properties']) }
  const required = new Set(strings(schema['required']))
  let rest: JsonObject = {}
  for (const part of parts) {
    const whole = str(part['$ref']) ? obj(resolve(root, str(part['$ref'])!)) : part
    Object.assign(properties, obj(whole['properties']))
    for (const key of strings(whole['required'])) required.add(key)
    rest = { ...rest, ...whole }
  }
  const { allOf: _, ...own } = schema
  return Object.keys(properties).length ? { ...rest, ...own, properties, required: [...required] } : { ...rest, ...own }
}

function pick(choices: readonly Json[], { question }: Filling): Json {
  const asked = question.toLowerCase()
  return choices.find((choice) => typeof choice === 'string' && choice !== '' && asked.includes(choice.toLowerCase())) ?? choices[0]!
}

/** All properties while shallow (strict mode wants them all); only the required ones once deep, so recursion ends. */
function objectFor(schema: JsonObject, filling: Filling, root: Json | undefined, depth: number): Json {
  const properties = obj(schema['properties'])
  const required = new Set(strings(schema['required']))
  const value: Record<string, Json> = {}
  for (const [key, property] of Object.entries(properties)) {
    if (depth < DEPTH || required.has(key)) value[key] = valueFor(property, filling, key, root, depth + 1)
  }
  return value
}

function arrayFor(schema: JsonObject, filling: Filling, name: string, root: Json | undefined, depth: number): Json {
  const prefix = objects(schema['prefixItems'])
  if (prefix.length) return prefix.map((item) => valueFor(item, filling, name, root, depth + 1))
  const least = num(schema['minItems']) ?? Number(schema['minItems'] ?? 0)
  const most = num(schema['maxItems']) ?? Infinity
  const length = depth > DEPTH ? least : Math.min(most, Math.max(least, 2))
  return Array.from({ length }, (_, index) =>
    valueFor(schema['items'], { ...filling, number: filling.number + index, word: (key) => filling.word(`${key} ${index + 1}`) }, name, root, depth + 1),
  )
}

function numberFor(schema: JsonObject, filling: Filling, whole: boolean): number {
  const step = num(schema['multipleOf']) ?? (whole ? 1 : 0.5)
  const above = num(schema['exclusiveMinimum'])
  const least = num(schema['minimum']) ?? (above === undefined ? undefined : above + step)
  const below = num(schema['exclusiveMaximum'])
  const most = num(schema['maximum']) ?? (below === undefined ? undefined : below - step)
  let value = filling.number
  if (least !== undefined && value < least) value = least
  if (most !== undefined && value > most) value = most
  const stepped = Math.ceil(value / step) * step
  return most !== undefined && stepped > most ? Math.floor(value / step) * step : stepped
}

const FORMATS: Readonly<Record<string, string>> = {
  'date': '2026-01-15',
  'time': '12:30:00Z',
  'date-time': '2026-01-15T12:30:00Z',
  'duration': 'PT1H',
  'email': 'hello@example.com',
  'hostname': 'example.com',
  'ipv4': '192.0.2.1',
  'ipv6': '2001:db8::1',
  'uri': 'https://example.com/',
  'url': 'https://example.com/',
  'uuid': '0b0f5e6a-3c1d-4f7e-9a2b-5d6c7e8f9a0b',
}

function stringFor(schema: JsonObject, filling: Filling, name: string): string {
  const fixed = FORMATS[str(schema['format']) ?? '']
  if (fixed) return fixed
  const pattern = str(schema['pattern'])
  if (pattern) return textFor(pattern) ?? filling.word(name)
  const least = num(schema['minLength']) ?? 0
  const most = num(schema['maxLength']) ?? 400
  const text = filling.word(name)
  return (text.length < least ? text.padEnd(least, '.') : text).slice(0, most)
}
