import { gzipSync } from 'node:zlib'
import { request } from 'node:http'
import { z } from 'zod'
import type { Endpoint } from '#platform/shared/contract.ts'
import { features } from '../../apps/server/features.ts'
import { buildHostileForm, buildRun, buildHostileValue, wireBodies } from './makers/bodies.ts'
import { archiveMakers, documentMakers, pictureMakers } from './makers/documents.ts'
import { soundMakers } from './makers/sound.ts'
import { mutateBytes } from './mutate.ts'
import type { FuzzRandom } from './random.ts'
import type { FuzzStage } from './stage.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

const ANSWER_MS = 20_000
const BODY = 1_000_000
const QUERY = 12_000

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

/** Sends one request and reads its response to the end, or for twenty seconds. Any response is fine, as long as the event loop is not blocked. */
function send(origin: string, { method, path, headers, body }: SentRequest): Promise<number> {
  return new Promise((done) => {
    const asked = request(
      origin + path,
      { method, headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) }, agent: false },
      (answer) => {
        answer.on('data', () => undefined)
        answer.on('end', () => done(answer.statusCode ?? 0))
        answer.on('error', () => done(0))
      },
    )
    asked.on('error', () => done(0))
    asked.setTimeout(ANSWER_MS, () => asked.destroy())
    asked.end(body)
  })
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
}

/** Builds JSON that mostly fits a schema, with one hostile field. */
function buildFittingJson(schema: Schema, random: FuzzRandom, most: number): string {
  if (random.once(6)) return buildHostileValue(random, most)
  if (schema.enum) return JSON.stringify(random.pick(schema.enum))
  if (schema.anyOf) return buildFittingJson(random.pick(schema.anyOf), random, most)
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${buildFittingJson(field, random, most / (fields.length + 1))}`).join(',')}}`
  }
  if (schema.type === 'array') {
    const one = buildFittingJson(schema.items ?? {}, random, 200)
    return `[${`${one},`.repeat(Math.floor(random.pick([0, 1, most / (one.length + 1)])))}${one}]`
  }
  if (schema.type === 'string')
    return JSON.stringify(random.once(2) ? buildRun(random, most / 3) : random.pick(['a', '2026-01-01', 'a@b.cn', '1.00', 'https://a.cn/']))
  if (schema.type === 'boolean') return random.pick(['true', 'false'])
  return random.pick(['1', '-1', '1e308', '0.5', '"1"'])
}

interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly schema: Schema
}

function listFuzzedRoutes(of: 'routes' | 'consoleRoutes'): Route[] {
  const endpoints = features.flatMap((feature) => (feature[of] ?? []).flatMap(({ contract }) => Object.values(contract))) as Endpoint[]
  return endpoints.map(({ method, path, input }) => ({ method: method as Route['method'], path, schema: schemaOf(input) }))
}

function schemaOf(input: Endpoint['input']): Schema {
  try {
    return z.toJSONSchema(input as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema
  } catch {
    return { type: 'object' }
  }
}

/** Excluded routes: they end the session or the account that all other routes need. */
const ENDS_SESSION = /logout|signout|delete|close|revoke|password|freeze|end/i

export function createRouteTargets(stage: FuzzStage): readonly FuzzTarget[] {
  const routes = listFuzzedRoutes('routes').filter(({ path }) => !ENDS_SESSION.test(path))
  const ofOperators = listFuzzedRoutes('consoleRoutes').filter(({ path }) => !ENDS_SESSION.test(path))
  const raws = features.flatMap(({ rawRoutes = [] }) => rawRoutes.filter(({ role }) => role === 'api'))
  const as = { accesstoken: stage.token }
  const bearer = { 'authorization': `Bearer ${stage.key}`, 'x-api-key': stage.key, 'x-goog-api-key': stage.key }
  const input = (what: string, sent: SentRequest, origin = stage.url): FuzzInput => ({
    what,
    bytes: sent.body?.length ?? sent.path.length,
    feed: () => send(origin, sent),
  })
  const filled = (path: string, random: FuzzRandom): string => path.replace(/[:{](\w+)\}?/g, () => encodeURIComponent(buildRun(random, 60).slice(0, 60)))
  const target = (name: string, make: (random: FuzzRandom) => FuzzInput): FuzzTarget => ({ name, make, stop: () => stage.stop() })
  const routeInput = (
    random: FuzzRandom,
    among: readonly Route[],
    { as, origin }: { readonly as: Readonly<Record<string, string>>; readonly origin: string },
  ): FuzzInput => {
    const { method, path, schema } = random.pick(among)
    const value = buildFittingJson(schema, random, method === 'GET' ? QUERY : BODY)
    if (method === 'GET') {
      const fields = Object.keys(schema.properties ?? { a: 1 })
      const query = fields.map((field) => `${field}=${encodeURIComponent(random.once(2) ? buildRun(random, QUERY / 12).slice(0, QUERY / 8) : '1')}`).join('&')
      return input(`GET ${path}`, { method, path: `${filled(path, random)}?${query}`.slice(0, 15_000), headers: as }, origin)
    }
    const headers = { ...as, 'content-type': 'application/json', 'idempotency-key': `fuzz-${random.int(1e9)}` }
    return input(
      `POST ${path} ${value.slice(0, 60).replace(/\s/g, ' ')}`,
      { method, path: filled(path, random), headers, body: Buffer.from(value).subarray(0, BODY) },
      origin,
    )
  }
  return [
    target('platform routes', (random) => routeInput(random, routes, { as, origin: stage.url })),
    target('routes of operators', (random) => routeInput(random, ofOperators, { as: { operatortoken: stage.console.token }, origin: stage.console.url })),
    target('raw routes', (random) => {
      const { method, path } = random.pick(raws)
      const kind = random.pick(['application/json', 'application/x-www-form-urlencoded', 'text/xml', 'multipart/form-data; boundary=edge'])
      const body =
        kind === 'application/json'
          ? buildHostileValue(random, BODY)
          : kind === 'text/xml'
            ? `<xml>${'<a>'.repeat(random.pick([1, 300_000]))}`
            : random.pick(['a=1&', '%', '&', '=', 'a[b]=', '+']).repeat(random.pick([1, 200_000]))
      return input(`${method} ${path}`, {
        method,
        path: filled(path, random),
        headers: { ...as, 'content-type': kind },
        body: method === 'POST' ? Buffer.from(body).subarray(0, BODY) : undefined,
      })
    }),
    target('upload form', (random) => {
      const { body, type } = buildHostileForm(
        random,
        random
          .pick([...documentMakers, ...pictureMakers, ...archiveMakers])
          .make(random)
          .subarray(0, 9_000_000),
      )
      return input('POST /identity/upload', {
        method: 'POST',
        path: '/identity/upload',
        headers: { ...as, 'content-type': type },
        body: (random.once(2) ? body : mutateBytes(random, body)).subarray(0, 10_000_000),
      })
    }),
    target('model calls', (random) => {
      const maker = random.pick(wireBodies)
      const made = maker.make(random)
      return input(maker.name, {
        method: 'POST',
        path: maker.path,
        headers: { ...bearer, 'content-type': 'application/json' },
        body: random.once(4) ? mutateBytes(random, made) : made,
      })
    }),
    target('packed model calls', (random) => {
      const maker = random.pick(wireBodies)
      const body = random.once(3) ? archiveMakers[1]!.make(random) : gzipSync(maker.make(random), { level: 1 })
      return input(`${maker.name}, gzip`, {
        method: 'POST',
        path: maker.path,
        headers: { ...bearer, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: random.once(3) ? mutateBytes(random, body) : body,
      })
    }),
    target('transcriptions', (random) => {
      const maker = random.pick(soundMakers)
      const { body, type } = buildHostileForm(random, maker.make(random))
      return input(maker.name, {
        method: 'POST',
        path: '/v1/audio/transcriptions',
        headers: { ...bearer, 'content-type': type },
        body: body.subarray(0, 26_000_000),
      })
    }),
  ]
}
