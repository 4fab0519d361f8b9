import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { vendorDocs } from '../oracles/published.ts'

type Json = Record<string, any>

const FOLDER = vendorDocs && join(vendorDocs, 'wechatpay')
const WORDS_ONLY = new Set(['description', 'example', 'default', 'nullable', 'readOnly'])
const RFC3339 = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$'

const files = new Map<string, Json>()
const readFile = (path: string): Json => {
  const found = files.get(path) ?? (parse(readFileSync(path, 'utf8')) as Json)
  files.set(path, found)
  return found
}

/** True if the published description is at hand (`VENDOR_DOCS`). */
export const hasWechatPayDocs = FOLDER !== undefined && existsSync(FOLDER)

/** Body of a request, or of an answer, of one endpoint of the description: Swagger 2 fragments, one file for each path. */
export function readWechatPaySchema(path: string, method: 'get' | 'post', of: 'request' | 'reply'): Json {
  const file = join(FOLDER!, `${path}.yaml`)
  const operation = readFile(file)[method] as Json
  if (of === 'reply') return closeSchema((operation['responses'] as Json)[200].schema, file)
  const parameters = (operation['parameters'] ?? []) as Json[]
  const body = parameters.find((each) => each['in'] === 'body')
  return closeSchema(body ? body['schema'] : toObject(parameters.filter((each) => each['in'] === 'query')), file)
}

/** Parameters of a query as an object. */
const toObject = (parameters: readonly Json[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, in: _, required: __, ...schema }) => [name as string, schema])),
  required: parameters.filter(({ required }) => required === true).map(({ name }) => name as string),
})

/** Resolves references, merges `allOf`, and refuses unknown fields. */
function closeSchema(node: Json, file: string): Json {
  const { $ref: ref, allOf, ...own } = node
  const parts: Json[] = [
    ...(ref ? [resolve(ref as string, file)] : []),
    ...((allOf ?? []) as Json[]).map((each) => closeSchema(each, file)),
    convert(own, file),
  ]
  return parts.reduce(mergeSchemas, {})
}

function resolve(ref: string, file: string): Json {
  const [path = '', name = ''] = ref.split('#')
  const target = path ? join(dirname(file), path) : file
  return closeSchema(readFile(target)[name.replace(/^\//, '')] as Json, target)
}

function convert(node: Json, file: string): Json {
  const out: Json = {}
  for (const [key, value] of Object.entries(node)) {
    if (WORDS_ONLY.has(key) || key.startsWith('x-')) continue
    if (key === 'properties') out[key] = Object.fromEntries(Object.entries(value as Json).map(([name, each]) => [name, closeSchema(each as Json, file)]))
    else if (key === 'items') out[key] = closeSchema(value as Json, file)
    else if (key === 'format') out['pattern'] = value === 'rfc3339' ? RFC3339 : '.*'
    else out[key] = value
  }
  if (out['type'] === 'object' || out['properties']) out['additionalProperties'] = false
  return out
}

/** Two descriptions of one object: the fields of both. */
function mergeSchemas(a: Json, b: Json): Json {
  const merged: Json = { ...a, ...b }
  if (a['properties'] && b['properties']) {
    const names = [...new Set([...Object.keys(a['properties'] as Json), ...Object.keys(b['properties'] as Json)])]
    const both = (name: string): Json => mergeSchemas((a['properties'] as Json)[name] ?? {}, (b['properties'] as Json)[name] ?? {})
    merged['properties'] = Object.fromEntries(names.map((name) => [name, both(name)]))
  } else if (a['properties']) merged['properties'] = a['properties']
  const required = [...((a['required'] ?? []) as string[]), ...((b['required'] ?? []) as string[])]
  if (required.length) merged['required'] = [...new Set(required)]
  if (a['enum'] && b['enum']) merged['enum'] = [...(a['enum'] as unknown[]), ...(b['enum'] as unknown[])]
  return merged
}
