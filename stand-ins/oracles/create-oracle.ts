import { appendFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ComparedRequest, Oracle, StandInReply } from '../kit/server.ts'

/** An endpoint of the vendor: which schemas its messages follow. A name that is absent is not compared. */
export interface OracleEndpoint {
  /** Schema of the body; of the query for GET. */
  readonly request?: string
  /** Schema of an answer below 400. */
  readonly reply?: string
  /** Schema of each event of a streamed answer (`text/event-stream`). */
  readonly event?: string
}
/** A known difference from the published interface, with the reason why it is right. */
export interface Difference {
  /** Matches the text of the difference: `POST /v1/cards reply /pan: …`. */
  readonly what: RegExp
  readonly reason: string
}
export interface OracleOptions {
  readonly vendor: string
  /** JSON schemas by name: of draft 7 if they say so (`$schema`), else of 2020-12. */
  readonly schemas: Readonly<Record<string, object>>
  /** Schemas that others refer to, by id: `{ openai: { components } }` for `openai#/components/schemas/Batch`. */
  readonly documents?: Readonly<Record<string, object>>
  /** By method and path; `{name}` stands for one segment: `GET /v1/cards/{card}`. Longer, fixed paths first. */
  readonly endpoints: Readonly<Record<string, OracleEndpoint>>
  /** Schema of an answer of 400 and above. */
  readonly error?: string
  /** How bodies of requests are written. A form's values are text: numbers and booleans are read from it. */
  readonly encoding?: 'json' | 'form'
  readonly differences?: readonly Difference[]
  /** Answers below 400 that the vendor never sends although its types allow them, by their text. */
  readonly refuse?: readonly { readonly what: string; readonly reply: RegExp }[]
}

const MAX_REPORTED = 20

/** Compiled schemas, shared by the oracles of one process that have the same ones. */
const compilersOf = new WeakMap<object, ReturnType<typeof createCompiler>>()

/** Compares messages with JSON schemas; each is compiled at its first use. */
export function createOracle({ vendor, schemas, documents = {}, endpoints, error, encoding = 'json', differences = [], refuse = [] }: OracleOptions): Oracle {
  const table = Object.entries(endpoints).map(([at, endpoint]) => ({ at, path: toPattern(at), ...endpoint }))
  const compile = compilersOf.get(schemas) ?? createCompiler({ vendor, schemas, documents })
  compilersOf.set(schemas, compile)
  const found = new Set<string>()
  const counts = new Map<string, number>()
  const expected = new Set<Difference>()

  const compare = (what: string, name: string, value: unknown, isText = false): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1)
    for (const fault of compile(name, isText)(structuredClone(value))) {
      const text = `${what} ${fault}`
      const known = differences.find(({ what: pattern }) => pattern.test(text))
      if (known) expected.add(known)
      else found.add(text)
    }
  }

  const checkExchange = (request: ComparedRequest, reply: StandInReply, withRequest: boolean): void => {
    const endpoint = table.find(({ path }) => path.test(`${request.method} ${request.path}`))
    if (!endpoint) return void (reply.status < 400 && found.add(`${request.method} ${request.path}: not in the published interface`))
    const { at } = endpoint
    if (reply.status >= 400) return void (error && compare(`${at} reply ${reply.status}`, error, readReply(reply)))
    if (withRequest && endpoint.request) compare(`${at} request`, endpoint.request, readRequest(request, encoding), encoding === 'form' || isQuery(request))
    for (const { what, reply: pattern } of refuse) if (pattern.test(reply.body.toString())) found.add(`${at} reply: ${what}`)
    if (!/event-stream/.test(reply.headers?.['content-type'] ?? '')) return void (endpoint.reply && compare(`${at} reply`, endpoint.reply, readReply(reply)))
    if (endpoint.event) for (const event of readEvents(reply)) compare(`${at} event`, endpoint.event, event)
  }
  // Compared in `report`: compiling a schema takes up to a second, in which a server in this process would not answer.
  const waiting: (() => void)[] = []

  return {
    check: (request, reply) => void waiting.push(() => checkExchange(request, reply, true)),
    checkReply: (request, reply) => void waiting.push(() => checkExchange(request, reply, false)),
    checkSent: (name, body) => {
      const copy = structuredClone(body)
      waiting.push(() => compare(`sent ${name}`, name, copy))
    },
    report: () => {
      for (const work of waiting.splice(0)) work()
      record(vendor, counts, expected)
      if (!found.size) return
      const all = [...found].slice(0, MAX_REPORTED).join('\n  ')
      found.clear()
      throw new Error(`messages differ from ${vendor}'s published interface:\n  ${all}`)
    },
  }
}

function toPattern(at: string): RegExp {
  const text = at.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${text}$`)
}

/** Faults of a value; none if it follows the schema. Converts text in place for a form. */
type FindFaults = (value: unknown) => readonly string[]

function createCompiler({ vendor, schemas, documents }: Required<Pick<OracleOptions, 'vendor' | 'schemas' | 'documents'>>) {
  const compilers = new Map<string, Ajv>()
  const known = new Map<string, FindFaults>()
  const getCompiler = (isDraft7: boolean, coerceTypes: boolean): Ajv => {
    const key = `${isDraft7} ${coerceTypes}`
    const options = { strict: false, logger: false, allErrors: true, inlineRefs: false, validateSchema: false, verbose: true, coerceTypes } as const
    const ajv = compilers.get(key) ?? addFormats.default(isDraft7 ? new Ajv(options) : new Ajv2020(options))
    if (!compilers.has(key) && !isDraft7) for (const [id, document] of Object.entries(documents)) ajv.addSchema(document, id)
    compilers.set(key, ajv)
    return ajv
  }
  return (name: string, isText: boolean): FindFaults => {
    const key = `${name} ${isText}`
    const schema = schemas[name]
    if (!schema) throw new Error(`${vendor} has no schema ${name}`)
    const find = known.get(key) ?? createFinder(getCompiler('$schema' in schema, isText), schema)
    known.set(key, find)
    return find
  }
}

/**
 * A union that fails reports the faults of all its branches; here only those of the branch that fits best are kept: the one with the value's own
 * `type` or `object`, else the one with the fewest faults.
 */
function createFinder(ajv: Ajv, schema: object): FindFaults {
  const { definitions } = schema as { definitions?: object }
  const branches = new Map<unknown, ValidateFunction>()
  const compileBranch = (branch: object): ValidateFunction => {
    const found = branches.get(branch) ?? ajv.compile({ ...branch, definitions })
    branches.set(branch, found)
    return found
  }
  const listErrors = (validate: ValidateFunction, value: unknown, at: string): string[] => {
    if (validate(value)) return []
    const errors = validate.errors ?? []
    const unions = errors.filter((one) => one.keyword === 'anyOf' && !errors.some((other) => other.keyword === 'anyOf' && isAbove(other, one)))
    const single = errors.filter((one) => !unions.some(({ instancePath }) => isWithin(one.instancePath, instancePath)) && one.keyword !== 'if')
    const chosen = [...new Map(unions.map((union) => [union.instancePath, union])).values()].flatMap(({ schema: list, data, instancePath }) =>
      (list as object[])
        .map((branch) => listErrors(compileBranch(branch), structuredClone(data), at + instancePath))
        .reduce((best, next) => (rankFaults(next, at + instancePath) < rankFaults(best, at + instancePath) ? next : best)),
    )
    return [...single.map((error) => describeError(error, at)), ...chosen]
  }
  const validate = ajv.compile(schema)
  return (value) => [...new Set(listErrors(validate, value, ''))]
}

const isWithin = (path: string, outer: string) => path === outer || path.startsWith(`${outer}/`)
const isAbove = (outer: ErrorObject, inner: ErrorObject) => outer.instancePath !== inner.instancePath && isWithin(inner.instancePath, outer.instancePath)

/** Rank of a branch: a wrong kind of value first, then a wrong discriminator, then the number of faults. */
function rankFaults(faults: readonly string[], at: string): number {
  const isOther = faults.some((fault) => fault.startsWith(`${at}/type `) || fault.startsWith(`${at}/object `) || fault.startsWith(`${at || '/'} must be `))
  return (isOther ? 1000 : 0) + faults.length
}

function describeError({ instancePath, message, params }: ErrorObject, at: string): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<string, unknown>
  const more = additionalProperty ?? unevaluatedProperty ?? allowedValue ?? (allowedValues as unknown[] | undefined)?.slice(0, 6).join(', ')
  return `${at + instancePath || '/'} ${message ?? 'differs'}${more === undefined ? '' : `: ${String(more)}`}`
}

/** Values of a query are text, whatever the encoding of bodies. */
const isQuery = ({ method }: ComparedRequest): boolean => method === 'GET' || method === 'DELETE'

function readRequest(request: ComparedRequest, encoding: 'json' | 'form'): unknown {
  if (isQuery(request)) return parseForm(request.query)
  if (encoding === 'form') return parseForm(new URLSearchParams(request.body))
  return parseJson(request.body)
}
const readReply = ({ body }: StandInReply): unknown => parseJson(body.toString())

/** Data of server-sent events; `[DONE]` is not one. */
const readEvents = ({ body }: StandInReply): unknown[] =>
  [...body.toString().matchAll(/^data: ?(.+)$/gm)].flatMap(([, data]) => (data === '[DONE]' ? [] : [parseJson(data!)]))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `a[b][0]=x` and `a[b][]=x` as `{ a: { b: ['x'] } }`. */
export function parseForm(form: URLSearchParams): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [name, value] of form) {
    const path = [/^[^[]*/.exec(name)![0], ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part!)]
    let at: Record<string, unknown> | unknown[] = root
    for (const [index, part] of path.entries()) {
      const key = Array.isArray(at) && part === '' ? at.length : part
      const holder = at as Record<string, unknown>
      const next = path[index + 1]
      if (next === undefined) holder[key] = value
      else at = (holder[key] ??= /^\d*$/.test(next) ? [] : {}) as Record<string, unknown>
    }
  }
  return root
}

/** Adds a line of what was compared to the file that `ORACLE_LOG` names, from which the run's table is made. */
function record(vendor: string, counts: Map<string, number>, expected: ReadonlySet<Difference>): void {
  const file = process.env['ORACLE_LOG']
  if (!file || !counts.size) return
  const reasons = [...expected].map(({ what, reason }) => ({ what: what.source, reason }))
  appendFileSync(file, `${JSON.stringify({ vendor, counts: Object.fromEntries(counts), differences: reasons })}\n`)
  counts.clear()
}
