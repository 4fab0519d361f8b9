import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { Duplex } from 'node:stream'
import { Failure } from '#platform/shared/errors.ts'
import type { Errors } from '#platform/shared/errors.ts'
import { fileReply } from '#platform/shared/contract.ts'
import type { FileReply, Endpoint } from '#platform/shared/contract.ts'
import { isMutatingCall } from '#platform/shared/is-mutating-call.ts'
import { createId } from '#platform/shared/ids.ts'
import type { AnyHandler, Ctx, Deps, Feature } from '../feature.ts'
import type { Origins } from './origins.ts'
import { sendError, buildSuccess, readSingleHeader, readLang } from './http-reply.ts'
import { openLane } from '../lane/lane.ts'
import type { LaneHandler } from '../lane/lane.ts'
import { BODY_MS, limitBody } from './limit-body.ts'
import { stripQuery } from '../log.ts'
import { observeRequest } from '../metrics.ts'
import { BODY_LIMIT, mountRaw } from './mount-raw.ts'
import { mountOtherApi } from './other-api.ts'
import { mountJson } from './parse-json.ts'
import { runOnce } from './run-once.ts'
import type { TextFormatter } from '../text-formatter.ts'
import { createGzip } from 'node:zlib'
import { createReadOnlyDb } from '../database/read-only.ts'
import type { Actor } from '../database/transact.ts'

interface ContextOptions {
  readonly deps: Deps
  readonly surface?: 'customers' | 'operators'
  readonly origins?: Origins
}

/** Authenticates the caller and builds the handler's context; refuses callers without access to the endpoint. */
async function openRequestContext(
  options: ContextOptions,
  request: FastifyRequest,
  { endpoint, signIn }: { readonly endpoint: Endpoint; readonly signIn: Feature | undefined },
): Promise<Ctx> {
  if (options.surface === 'operators') return openOperatorContext(options, request, { endpoint, signIn })
  const { deps, origins } = options
  const userAgent = readSingleHeader(request, 'user-agent') ?? ''
  const token = readSingleHeader(request, 'accesstoken')
  const session = token ? await signIn?.authenticate?.(deps, token, { ip: request.ip, userAgent }) : undefined
  if (endpoint.access !== 'public' && !session) {
    const reason = token ? await signIn?.sessionEndReason?.(deps, token) : undefined
    throw reason ? new Failure('SIGNED_OUT_ELSEWHERE', { reason }) : new Failure('SESSION_EXPIRED')
  }
  if (endpoint.access === 'operator') throw new Failure('FORBIDDEN')
  if (session?.readOnly && (endpoint.method !== 'GET' || endpoint.inPerson)) throw new Failure('VIEW_ONLY')
  const actor: Actor = session ? { kind: 'user', id: session.userId } : { kind: 'anonymous', id: 'anonymous' }
  return {
    ...deps,
    ...(session?.readOnly ? { db: createReadOnlyDb(deps.db) } : {}),
    ...(origins ? { siteUrl: () => origins.of(request) } : {}),
    actor,
    tx: undefined,
    userAgent,
    device: readDevice(request),
    userId: session?.userId ?? '',
    sessionId: session?.sessionId ?? '',
    lang: readLang(request),
    clientType: readSingleHeader(request, 'clienttype') === '2' ? 2 : 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

async function openOperatorContext(
  { deps }: ContextOptions,
  request: FastifyRequest,
  { endpoint, signIn }: { readonly endpoint: Endpoint; readonly signIn: Feature | undefined },
): Promise<Ctx> {
  const userAgent = readSingleHeader(request, 'user-agent') ?? ''
  const token = readSingleHeader(request, 'operatortoken')
  const operator = token ? await signIn?.authenticateOperator?.(deps, token, { ip: request.ip, userAgent }) : undefined
  if (endpoint.access !== 'public' && !operator) throw new Failure('SESSION_EXPIRED')
  if (endpoint.permission && !operator?.permissions.has(endpoint.permission)) throw new Failure('FORBIDDEN')
  return {
    ...deps,
    actor: operator ? { kind: 'operator', id: operator.id } : { kind: 'anonymous', id: 'anonymous' },
    operator,
    tx: undefined,
    userAgent,
    device: readDevice(request),
    userId: '',
    sessionId: operator?.sessionId ?? '',
    lang: readLang(request),
    clientType: 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

const readDevice = (request: FastifyRequest): string | undefined => /^\w{16,40}$/.exec(readSingleHeader(request, 'device') ?? '')?.[0]

/** Headers for replies that are not pages: the policy forbids browsers to load anything. Pages and sandbox pages set their own policy. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
/** ASVS 3.4.1 requires at least a year, and at level 2 all subdomains. */
const YEAR_SECONDS = 31_536_000

/** Adds the headers to every platform reply that does not set its own. Replies of the model API bypass this and match their vendor's. */
function mountSafeHeaders(app: FastifyInstance, { config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): void {
  const hsts = `max-age=${YEAR_SECONDS}${config.HSTS_SUBDOMAINS ? '; includeSubDomains' : ''}`
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name in HEADERS) if (!reply.hasHeader(name)) reply.header(name, HEADERS[name])
    if (publicUrl().startsWith('https://')) reply.header('strict-transport-security', hsts)
    done(null, payload)
  })
}

/** File names are generated and ASCII: document numbers, days. A streamed file is aborted, not ended, if producing it fails. */
function sendFile(request: FastifyRequest, reply: FastifyReply, { type, filename, body }: FileReply): FastifyReply {
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${filename}"`).type(type)
  if (body instanceof Uint8Array) return reply.send(Buffer.from(body))
  const pieces = Readable.from(body)
  // JSON lines are read as they arrive; compression would deliver them all at once.
  if (type === 'application/x-ndjson' || !/\bgzip\b/.test(readSingleHeader(request, 'accept-encoding') ?? '')) return reply.send(pieces)
  const packed = createGzip({ level: 4 })
  pipeline(pieces, packed, () => {}) // An error of either stream ends both; the reply sees it in `packed`.
  return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(packed)
}

/** A handler in front of the platform's routes that serves some paths by itself: the model relay. */
export interface FrontHandler {
  handles(url: string, request: IncomingMessage): boolean
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Handles requests in HTTP's common form without node:http (lane/). */
  readonly lane?: LaneHandler | undefined
  /** Handles a request that node could not parse: malformed, or headers too large. */
  clientError?(error: NodeJS.ErrnoException, socket: Duplex): void
  upgrade?(request: IncomingMessage, socket: Duplex, early: Buffer): void
}

export interface HttpOptions {
  readonly deps: Deps
  readonly features: readonly Feature[]
  readonly speak: TextFormatter
  readonly roles: ReadonlySet<string>
  /** Audience of this origin, which serves only that audience's routes. Defaults to customers. */
  readonly surface?: 'customers' | 'operators'
  readonly front?: FrontHandler
  /** Resolves the address that a request was sent to; defaults to `deps.siteUrl`. */
  readonly origins?: Origins
  /** Documents for browsers on paths without a route; `document` may be set after the start. */
  readonly pages?: Pages
  /** Time limit for receiving a body; defaults to BODY_MS. The front has its own limits. */
  readonly bodyMs?: number
}

export interface Pages {
  document?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
  /** Public paths: their pages are also sent to clients that accept anything (curl, link previews), not only to those that accept HTML. */
  isPublic?: (pathname: string) => boolean
}

const SERVER = { maxHeaderSize: 16_384, requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 75_000 }

/** WebSocket is the only upgrade. Others are offers (the JDK's client offers h2c with its first request), ignored as RFC 9110 allows. */
export const isWebSocketUpgrade = (request: IncomingMessage): boolean => /(?:^|[\s,])websocket(?:[\s,/]|$)/i.test(request.headers.upgrade ?? '')

/** RFC 9112, 3.2: a request with two Host fields is invalid. Node takes the first one; a proxy in front might take the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++
  return hosts > 1
}

function refuseHosts(response: ServerResponse): void {
  response.writeHead(400, { 'connection': 'close', 'content-type': 'text/plain', 'content-length': '17' })
  response.end('two Host headers\n')
}

/** The platform API: session, permission, parse, idempotency, handler, strip, envelope. One mapper for every error. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { deps, features, roles, front } = options
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: deps.config.TRUST_PROXY,
    // Requests that arrive while the server drains are still served.
    return503OnClosing: false,
    genReqId: (request) => resolveRequestId(request),
    routerOptions: { maxParamLength: 500 },
    serverFactory: (handler) =>
      attachFront(
        options,
        createServer({ ...SERVER, shouldUpgradeCallback: isWebSocketUpgrade }, (request, response) => {
          if (hasTwoHosts(request)) return refuseHosts(response)
          if (front?.handles(request.url ?? '/', request)) return front.handle(request, response)
          limitBody(request, response, options.bodyMs ?? BODY_MS)
          handler(request, response)
        }),
      ),
    ...(front?.clientError ? { clientErrorHandler: (error, socket) => front.clientError!(error, socket) } : {}),
  })
  mountJson(app)
  app.setErrorHandler((error, request, reply) => sendError(options, error, { request, reply }))
  app.setNotFoundHandler((request, reply) => {
    const { pages } = options
    if (pages?.document && wantsPage(request, pages)) return pages.document(request, reply)
    return sendError(options, new Failure('NOT_FOUND'), { request, reply })
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    observeRequest(request.routeOptions.url ?? 'unknown', request.method, { status: reply.statusCode, ms: reply.elapsedTime })
    deps.log.debug(
      { requestId: request.id, method: request.method, path: stripQuery(request.url), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    done()
  })
  mountSafeHeaders(app, deps)
  if (options.surface !== 'operators') mountOtherApi(app, deps.config)
  mountAll(app, options)
  if (options.surface === 'operators') return app
  const raw = features.flatMap((feature) => feature.rawRoutes ?? []).filter((route) => roles.has(route.role))
  if (raw.length)
    app.register(async (scope) => {
      mountRaw(scope, deps, raw)
    })
  return app
}

function mountAll(app: FastifyInstance, options: HttpOptions): void {
  const isConsole = options.surface === 'operators'
  if (!options.roles.has(isConsole ? 'console' : 'api')) return
  const signIn = options.features.find((feature) => (isConsole ? feature.authenticateOperator : feature.authenticate))
  // A handler may pass on refusals of another feature.
  const everyError: Errors = Object.assign({}, ...options.features.map((feature) => feature.errors ?? {}))
  for (const feature of options.features) {
    for (const { contract, handlers, errors = feature.errors } of (isConsole ? feature.consoleRoutes : feature.routes) ?? []) {
      // Shared by all routes of a binding: there are hundreds of routes and of errors.
      const known = { ...everyError, ...errors }
      for (const [name, endpoint] of Object.entries(contract)) mount(app, options, { errors: known, endpoint, handler: handlers[name]!, signIn })
    }
  }
}

function wantsPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest, pages: Pages): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (accept.includes('text/html')) return true
  return /\*\/\*|text\/\*/.test(accept) && pages.isPublic?.(url.split('?', 1)[0]!) === true
}

function attachFront({ front, deps, features, roles }: HttpOptions, server: Server): Server {
  const sockets = features.flatMap((feature) => feature.sockets ?? []).filter(({ role }) => roles.has(role))
  if (sockets.length || front?.upgrade)
    server.on('upgrade', (request, socket, early) => {
      const own = sockets.find(({ path }) => path === stripQuery(request.url ?? ''))
      if (own) return own.open(deps, request, { socket, early })
      if (front?.upgrade) return front.upgrade(request, socket, early)
      socket.destroy()
    })
  if (front?.lane) openLane(server, front.lane)
  return server
}

function mount(
  app: FastifyInstance,
  options: HttpOptions,
  {
    errors,
    endpoint,
    handler,
    signIn,
  }: { readonly errors: Errors; readonly endpoint: Endpoint; readonly handler: AnyHandler; readonly signIn: Feature | undefined },
): void {
  const { deps, features } = options
  const flags = features.find((one) => one.isOn)?.isOn
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { errors, declared: endpoint.errors },
    handler: async (request, reply) => {
      const ctx = await openRequestContext(options, request, { endpoint, signIn })
      const sent = readInput(request)
      if (endpoint.flag && isMutatingCall(endpoint, sent) && (await flags?.(deps, endpoint.flag, ctx.userId)) === false)
        throw new Failure('FEATURE_OFF', { feature: endpoint.flag })
      const parsed = endpoint.input.safeParse(sent)
      if (!parsed.success) {
        throw new Failure('BAD_INPUT', {
          fields: parsed.error.issues
            .slice(0, 20)
            .map((issue) => issue.path.join('.'))
            .filter(Boolean),
        })
      }
      if (endpoint.reply === fileReply) return sendFile(request, reply, (await handler(ctx, parsed.data)) as FileReply)
      const run = async (tx?: Ctx['tx']) => ({
        status: 200,
        body: buildSuccess(options.speak, ctx.lang, endpoint.reply.parse(await handler({ ...ctx, tx }, parsed.data))),
      })
      const isKeyed = endpoint.idempotency && isMutatingCall(endpoint, parsed.data)
      const result = isKeyed
        ? await runOnce(options, ctx, { request, endpoint: { ...endpoint, before: handler.before }, input: parsed.data, run })
        : await run()
      return reply.status(result.status).header('cache-control', 'no-store').send(result.body)
    },
  })
}

/** One flat object: path parameters win over the query or the body, so that a body cannot move a request to another id. */
function readInput(request: FastifyRequest): unknown {
  const sent = request.method === 'GET' ? request.query : (request.body ?? {})
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new Failure('BAD_INPUT')
  const input: Record<string, unknown> = { ...sent, ...(request.params as object) }
  // PostgreSQL text cannot hold NUL, and legitimate input has none.
  const fields = Object.keys(input).filter((name) => JSON.stringify(input[name])?.includes('\\u0000'))
  if (fields.length) throw new Failure('BAD_INPUT', { fields })
  return input
}

function resolveRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,80}$/.test(given) ? given : createId('req')
}
