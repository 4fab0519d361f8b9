import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = Record<string, unknown>

/** Folder with the vendors' published descriptions (`VENDOR_DOCS`); undefined without it, and checks against them are skipped. */
export const vendorDocs: string | undefined = process.env['VENDOR_DOCS']

/** Reads a JSON description from the folder; undefined if the folder or the file is absent. */
export function readPublished(name: string): Json | undefined {
  const file = vendorDocs && join(vendorDocs, name)
  return file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : undefined
}

const WORDS_ONLY = new Set(['example', 'examples', 'discriminator', 'default', 'description', 'title', 'externalDocs', 'xml', 'nullable'])

/**
 * OpenAPI schemas as JSON Schema 2020-12: keywords of 3.0 (`nullable`, boolean `exclusiveMinimum`) are converted, `oneOf` becomes `anyOf`, as branches
 * overlap. `closed` refuses unknown fields: in the outermost schema, since one inside `allOf` does not know the fields of its neighbours; those
 * are under `/open/` instead of `/schemas/`.
 */
export function toJsonSchema(node: unknown, closed = false, inside = false): unknown {
  if (Array.isArray(node)) return node.map((each) => toJsonSchema(each, closed, inside))
  if (!node || typeof node !== 'object') return node
  const from = node as Json
  const out: Json = {}
  const composed = inside || from['allOf'] !== undefined || (from['properties'] !== undefined && (from['anyOf'] ?? from['oneOf']) !== undefined)
  for (const [key, value] of Object.entries(from)) {
    if (WORDS_ONLY.has(key) || key.startsWith('x-')) continue
    if (key === 'properties' || key === 'patternProperties')
      out[key] = Object.fromEntries(Object.entries(value as Json).map(([name, schema]) => [name, toJsonSchema(schema, closed)]))
    else if (key === 'enum' || key === 'const' || key === 'required') out[key] = value
    else if (key === '$ref') out[key] = closed && inside ? (value as string).replace('/schemas/', '/open/') : value
    else if (key === 'oneOf' || key === 'anyOf') out['anyOf'] = toJsonSchema(value, closed, composed)
    else if (key === 'allOf') out[key] = toJsonSchema(value, closed, true)
    else out[key] = toJsonSchema(value, closed)
  }
  for (const bound of ['Minimum', 'Maximum']) convertBound(out, bound)
  const isOpen = out['additionalProperties'] === undefined
  if (closed && !inside && isOpen && (out['properties'] !== undefined || out['allOf'] !== undefined)) out['unevaluatedProperties'] = false
  return from['nullable'] === true ? { anyOf: [out, { type: 'null' }] } : out
}

/** `exclusiveMinimum: true` beside `minimum` is 3.0; 2020-12 has the number itself. */
function convertBound(schema: Json, bound: string): void {
  const exclusive = `exclusive${bound}`
  const plain = bound.toLowerCase()
  if (schema[exclusive] === true) {
    schema[exclusive] = schema[plain]
    delete schema[plain]
  } else if (schema[exclusive] === false) delete schema[exclusive]
}
