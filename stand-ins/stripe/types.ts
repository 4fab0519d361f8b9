import { readSdkSchemas } from '../oracles/sdk-schemas.ts'
import type { SchemasByName } from '../oracles/sdk-schemas.ts'

type Schema = Record<string, any>

/** Schemas by name, and the document of definitions that they refer to by its id. */
export interface StripeSchemas {
  readonly schemas: SchemasByName
  readonly documents: Readonly<Record<string, object>>
}

/** Types to read: expressions over `Sdk.Stripe` by name. */
export interface StripeTypes {
  /** Id of the document of definitions. */
  readonly id: string
  readonly types: Readonly<Record<string, string>>
  /**
   * Resources inside of `types` that are also compared whole. Of others, which are never written out, only the name in `object` is: compiling
   * all of them takes seconds. Undefined: all are compared whole.
   */
  readonly inner?: readonly string[]
}

/**
 * JSON schemas of types of Stripe's SDK. All of them are members of one type, because the generator loses definitions that several types
 * share (`Account`), and because a shared definition is compiled once.
 */
export async function readStripeTypes({ id, types, inner }: StripeTypes): Promise<StripeSchemas> {
  const members = Object.entries(types).map(([name, type]) => `${name}: ${type}`)
  const { All } = await readSdkSchemas({ package: 'stripe', modules: { Sdk: 'stripe' }, types: { All: `{ ${members.join('; ')} }` } })
  const { definitions } = JSON.parse(JSON.stringify(All).replaceAll('"#/definitions/', `"${id}#/definitions/`)) as { definitions: Record<string, Schema> }
  const { XAll: all, ...others } = definitions
  const outer = [...JSON.stringify(all).matchAll(/#\/definitions\/([^"]+)"/g)].map(([, name]) => decodeURIComponent(name!))
  const kept = Object.entries(others).map(([name, definition]) => [
    name,
    inner && !inner.includes(name) && !outer.includes(name) ? toNameOnly(definition) : definition,
  ])
  return {
    schemas: Object.fromEntries(Object.keys(types).map((name) => [name, (all!['properties'] as Record<string, Schema>)[name]!])),
    documents: { [id]: { definitions: Object.fromEntries(kept) } },
  }
}

/** A resource by its name alone; other definitions as they are. */
function toNameOnly(definition: Schema): Schema {
  const object = (definition['properties'] as Record<string, Schema> | undefined)?.['object']
  return object?.['const'] === undefined ? definition : { type: 'object', properties: { object }, required: ['object'] }
}

const isPlainText = (branch: Schema) =>
  /#\/definitions\/OtherString$/.test(String(branch['$ref'])) || (branch['type'] === 'string' && Object.keys(branch).every((key) => key === 'type'))
const isLiteral = (branch: Schema) => branch['const'] !== undefined || Array.isArray(branch['enum'])

/**
 * Enums of Stripe's types also allow any text, for values that older SDKs do not know. What a merchant sends must be one of the named
 * values: the open branch is removed where named ones stand beside it.
 */
export function closeStripeEnums<T>(schema: T, seen = new Map<unknown, unknown>()): T {
  if (!schema || typeof schema !== 'object') return schema
  if (seen.has(schema)) return seen.get(schema) as T
  if (Array.isArray(schema)) return schema.map((each) => closeStripeEnums(each as unknown, seen)) as T
  const out: Schema = {}
  seen.set(schema, out)
  for (const [key, value] of Object.entries(schema)) out[key] = key === 'enum' ? value : closeStripeEnums<unknown>(value, seen)
  const branches = out['anyOf'] as Schema[] | undefined
  if (branches?.some(isLiteral)) out['anyOf'] = branches.filter((branch) => !isPlainText(branch))
  return out as T
}
