import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelBook } from './book/book.ts'
import { systemClock, type Clock } from './clock.ts'
import { answerBook } from './book/book-page.ts'
import { Refused, refusal, refuse } from './write/errors.ts'
import { createGenerator } from './generate.ts'
import { isObject, type Json } from './read/json.ts'
import { readForm } from './read/form.ts'
import { anthropicModel, anthropicModels, geminiModel, geminiModels, openaiModel, openaiModels } from './models.ts'
import { vendorHeaders, writeJson } from './write/http-answer.ts'
import { credentialOf, findEndpoint, type Endpoint } from './endpoint.ts'
import type { Body, Visit } from './visit.ts'

export interface ModelStandInOptions {
  readonly book: ModelBook
  readonly clock?: Clock
  /** Accepted keys; `sandbox` when none is given. */
  readonly keys?: readonly string[]
  /** Milliseconds between the events of a stream when the prompt names none: 0 for tests, about 30 for people. */
  readonly chunkMs?: number
  readonly callIdHeader?: string
  /** Its name, where there are several. */
  readonly twin?: string
}

/** The key that is accepted when none is configured. */
export const DEFAULT_KEY = 'sandbox'

const BODY_BYTES = 32 * 1024 * 1024

/** A plain node:http handler that answers as the three vendors do, under /sandbox/upstream or at the root. */
export function createModelStandIn(options: ModelStandInOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const clock = options.clock ?? systemClock
  const keys = new Set(options.keys?.length ? options.keys : [DEFAULT_KEY])
  const callIdHeader = options.callIdHeader ?? 'x-mingxi-call-id'
  const generate = createGenerator({ book: options.book, clock, chunkMs: options.chunkMs ?? 0, twin: options.twin })

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const endpoint = findEndpoint(req.url ?? '/', req.headers)
    const requestId = `req_${randomBytes(12).toString('hex')}`
    const headers = vendorHeaders(endpoint.surface, requestId)
    try {
      const key = credentialOf(endpoint, req.headers)
      if (!key || !keys.has(key)) throw new Refused('unauthorized', { requestId, ...(key ? {} : { message: missingKey(endpoint), code: null }) })
      const given = req.headers[callIdHeader]
      const visit: Visit = { req, res, endpoint, requestId, callId: (Array.isArray(given) ? given[0] : given) || requestId, key }
      const done = readOnly(visit, options.book)
      if (done) return writeJson(res, 200, headers, done)
      await generate(visit, await readBody(req, endpoint), headers)
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy()
      const known = error instanceof Refused ? error : new Refused('error')
      const { status, body } = refusal(endpoint.surface, known.reason, { ...known.detail, requestId })
      // The rest of an oversized body is not read: the connection cannot be used again.
      writeJson(res, status, known.reason === 'too-large' ? { ...headers, connection: 'close' } : headers, body)
    }
  }
  return (req, res) => void answer(req, res)
}

function missingKey(endpoint: Endpoint): string {
  if (endpoint.surface === 'openai') return "You didn't provide an API key. You need to provide it in an Authorization header using Bearer auth."
  return endpoint.surface === 'anthropic' ? 'x-api-key header is required' : "Method doesn't allow unregistered callers. Please use API Key."
}

/** Lists and the book: no body, nothing is billed. */
function readOnly({ req, endpoint }: Visit, book: ModelBook): Json | undefined {
  if (endpoint.action === 'book') return answerBook(book, endpoint.query)
  if (endpoint.action === 'nothing') return refuse(`Invalid URL (${req.method} ${(req.url ?? '').split('?')[0]})`, { code: 'unknown_url' }, 'not-found')
  if (endpoint.action !== 'models' && endpoint.action !== 'model') {
    if (req.method !== 'POST' && endpoint.action !== 'response') refuse(`Not allowed to ${req.method} here.`, {}, 'method')
    return undefined
  }
  if (req.method !== 'GET') refuse(`Not allowed to ${req.method} here.`, {}, 'method')
  const { surface, id, query } = endpoint
  if (surface === 'gemini') return id ? geminiModel(id) : geminiModels(query)
  if (surface === 'anthropic') return id ? anthropicModel(id) : anthropicModels(query)
  return id ? openaiModel(id) : openaiModels()
}

async function readBody(req: IncomingMessage, endpoint: Endpoint): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES) throw new Refused('too-large')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const hash = createHash('sha256').update(endpoint.action).update(bytes).digest('hex')
  if (endpoint.action === 'response') return { json: {}, files: [], hash }
  const type = req.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return { ...(await readForm(bytes, type)), hash }
  try {
    const json = JSON.parse(bytes.toString()) as Json
    if (isObject(json)) return { json, files: [], hash }
  } catch {
    /* said below */
  }
  return refuse('We could not parse the JSON body of your request.')
}
