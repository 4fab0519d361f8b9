import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '#platform/shared/errors.ts'
import type { PlatformConfig } from '../config.ts'
import { sendOutgoingRequest } from './http-client.ts'
import { BODY_LIMIT } from './mount-raw.ts'

/** Timeout longer than any endpoint's client timeout. */
const DEADLINE_MS = 190_000
const MAX_BYTES = 30_000_000
/** Headers that a forwarded platform call keeps. Cookies, model credentials and the caller's address are dropped. */
const SENT_HEADERS = ['accept', 'accesstoken', 'clienttype', 'content-type', 'idempotency-key', 'language', 'ver'] as const
const RETURNED_HEADERS = ['content-type', 'content-disposition', 'retry-after', 'x-request-id'] as const

/**
 * Outside production, forwards calls with an `x-api-target` header to the API of the production site or its China domain: the developer
 * panel sets it (product.md 1.2). They pass through this server because the pages' policy allows calls to their own origin only. Disabled
 * in production.
 */
export function mountOtherApi(app: FastifyInstance, config: Pick<PlatformConfig, 'STAGE' | 'PRODUCTION_URL' | 'CHINA_URL'>, send = fetch): void {
  if (config.STAGE === 'production') return
  const origins = new Map(
    Object.entries({ production: config.PRODUCTION_URL, china: config.CHINA_URL }).flatMap(([name, url]) =>
      url ? [[name, new URL(url).origin] as const] : [],
    ),
  )
  app.addHook('onRequest', async (request, reply) => {
    const name = request.headers['x-api-target']
    if (name === undefined) return
    const origin = origins.get(String(name))
    const { method, url } = request
    // An absolute-form target could extend the host name.
    if (origin === undefined || !url.startsWith('/') || (method !== 'GET' && method !== 'POST')) throw new Failure('BAD_INPUT', { fields: ['x-api-target'] })
    const body = method === 'POST' ? await readForwardedBody(request) : undefined
    const answer = await sendOutgoingRequest(send, {
      method,
      url: `${origin}${url}`,
      headers: pickHeaders(request.headers),
      ...(body === undefined ? {} : { body }),
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    }).catch(() => {
      throw new Failure('UNAVAILABLE')
    })
    for (const header of RETURNED_HEADERS) if (answer.header(header)) void reply.header(header, answer.header(header))
    return reply.status(answer.status).header('cache-control', 'no-store').send(answer.body)
  })
}

function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(SENT_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}

/** The hook runs before the body is parsed, and platform calls are JSON. */
async function readForwardedBody({ raw }: FastifyRequest): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > BODY_LIMIT) throw new Failure('TOO_LARGE')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
