import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatAnswer, claudeAnswer, geminiAnswer, responsesAnswer } from './answers.ts'
import type { Answer, Telling } from './answers.ts'
import { openBook, whoAsks } from './book.ts'
import type { Book, Entry } from './book.ts'
import { describe, embeddings, geminiEmbedding, images, readForm, rerank, speech, transcription } from './media.ts'
import type { Made } from './media.ts'
import { claudeMost, geminiMost, isRefused, openaiMost } from './most.ts'
import type { Most, Refused } from './most.ts'
import { parseJson } from './reading.ts'
import { acceptSockets } from './sockets.ts'
import { PLAIN, costOf } from './tariff.ts'

/**
 * A vendor, behind all base URLs, that bills the most that each request it receives permits, and says so in its usage: no figure is
 * a lie. Most of an answer is hidden, and made before the first word of it; who leaves is billed what was made by then, Google's
 * askers the whole. It keeps a book of its own.
 */
export interface Vendor {
  readonly url: string
  readonly book: Book
  /** Requests and responses that are under way. */
  running(): number
  stop(): Promise<void>
}

/** Between two events of an answer, so that an asker can leave there. */
const PAUSE_MS = 2
/** The same where all can be seen: sixteen tokens in this time are as fast as models are. */
const SEEN_PAUSE_MS = 12

interface Asked {
  readonly who: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly telling: Telling
}

export async function startVendor(): Promise<Vendor> {
  const book = openBook()
  const sockets = new Set<Socket>()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('error', () => undefined)
    res.on('error', () => undefined)
    req.on('end', () => {
      const url = new URL(req.url ?? '/', 'http://vendor')
      const body = Buffer.concat(chunks)
      const agent = String(req.headers['user-agent'] ?? '')
      const telling = agent.includes('no-usage') ? 'none' : agent.includes('strange-usage') ? 'strange' : 'all'
      const asked: Asked = {
        who: whoAsks(req.headers, body.toString('latin1', 0, 4_000)),
        path: url.pathname,
        query: url.searchParams,
        headers: req.headers,
        body,
        telling,
      }
      answer(book, asked, res).catch((error: unknown) => {
        // A request that no vendor could read.
        if (!res.headersSent) refuse(res, { status: 400, message: String(error) })
        else res.destroy()
      })
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  acceptSockets(server, book)
  server.keepAliveTimeout = 120_000
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    book,
    running: () => book.entries.filter((entry) => entry.status === 'running').length,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function refuse(res: ServerResponse, { status, message }: Refused): void {
  const error = { message, type: 'invalid_request_error', param: null, code: status, status: 'INVALID_ARGUMENT' }
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
}

async function answer(book: Book, asked: Asked, res: ServerResponse): Promise<void> {
  // The upstream that thinks for a while and then fails: such a request is not billed.
  if (asked.path.startsWith('/late')) {
    await sleep(150)
    return refuse(res, { status: 500, message: 'The server had an error.' })
  }
  const path = asked.path.replace(/^\/second/, '')
  const gemini = /^\/v1beta\/models\/([^:]+):(\w+)$/.exec(path)
  if (/count_tokens|countTokens/.test(path)) return send(res, { input_tokens: 7, totalTokens: 7 })
  if (path === '/v1/moderations') return send(res, { id: 'modr', model: 'omni-moderation-latest', results: [{ flagged: false }] })
  if (/multipart/.test(asked.headers['content-type'] ?? '')) return sendMade(book, asked, res, formMade(book, asked))
  const text = asked.body.toString().replace(/^\uFEFF/, '')
  const readings = text.length < 100_000 ? [parseJson(text, 'last'), parseJson(text, 'first')] : [parseJson(text, 'last')]
  if (gemini?.[2] === 'embedContent' || gemini?.[2] === 'batchEmbedContents')
    return sendMade(
      book,
      asked,
      res,
      madeFor(book, gemini[1]!, () => geminiEmbedding(readings[0])),
    )
  const made = otherMade(book, path, readings[0])
  if (made !== undefined) return sendMade(book, asked, res, made)
  const costed = readings.map((body) => ({ body, most: mostFor(book, path, gemini?.[1], body) }))
  const refused = costed.find(({ most }) => isRefused(most))
  if (refused !== undefined) return refuse(res, refused.most as Refused)
  // If a duplicate JSON member makes the request ambiguous, the more expensive reading is served and billed.
  const [dearest] = costed.map(({ body, most }) => ({ body, most: most as Most, nano: billOf(most as Most) })).toSorted((a, b) => (a.nano < b.nano ? 1 : -1))
  await converse(book, asked, res, path, gemini?.[2], dearest!)
}

function mostFor(book: Book, path: string, geminiModel: string | undefined, body: any): Most | Refused {
  const tariff = book.tariffs.get(geminiModel === undefined ? body.model : decodeURIComponent(geminiModel))
  if (tariff === undefined) return { status: 404, message: 'No such model.' }
  if (geminiModel !== undefined) return geminiMost(tariff, body)
  return path === '/v1/messages' ? claudeMost(tariff, body, book) : openaiMost(tariff, body, path !== '/v1/responses')
}

const billOf = (most: Most): bigint =>
  costOf(most.tariff, most.used, most.rate) + most.fees + most.steps.reduce((sum, step) => sum + costOf(step.tariff, step.used, most.rate), 0n)

function answerFor(path: string, method: string | undefined, most: Most, telling: Telling, body: any, id: string): Answer {
  if (method !== undefined) return geminiAnswer(most, telling)
  if (path === '/v1/messages') return claudeAnswer(most, telling)
  return path === '/v1/responses' ? responsesAnswer(most, telling, body, `resp_${id}`) : chatAnswer(most, telling, body)
}

async function converse(
  book: Book,
  asked: Asked,
  res: ServerResponse,
  path: string,
  method: string | undefined,
  { body, most, nano }: { readonly body: any; readonly most: Most; readonly nano: bigint },
): Promise<void> {
  const isStream = method === undefined ? body.stream === true : method === 'streamGenerateContent'
  const billsAll = most.tariff.vendor === 'google' || most.hidden || !isStream
  const perToken = costOf(most.tariff, { output: 1_000 }, most.rate) / 1_000n
  const entry = book.add({
    who: asked.who,
    path,
    model: most.tariff.id,
    nano,
    asked: asked.body.toString('latin1', 0, 300),
    used: JSON.stringify({ ...most.used, ...most.tools, tier: most.tier, fees: Number(most.fees) }),
  })
  const { json, events } = answerFor(path, method, most, asked.telling, body, entry.id)
  // Visible output is billed event by event, as it is generated.
  if (!billsAll) entry.nano -= events.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n) * perToken
  const headers = { 'x-request-id': entry.id, 'request-id': entry.id, 'x-goog-request-id': entry.id }
  const tells = asked.telling === 'all' ? 'whole' : 'bare'
  await sleep(PAUSE_MS)
  if (!isStream) return end(res, entry, tells, JSON.stringify(masked(json, asked)), { ...headers, 'content-type': 'application/json' })
  const isArray = method !== undefined && asked.query.get('alt') !== 'sse'
  res.writeHead(200, { ...headers, 'content-type': isArray ? 'application/json' : 'text/event-stream' })
  for (const [at, { text, tokens }] of events.entries()) {
    if (res.destroyed || res.socket?.destroyed) return left(entry, billsAll ? nano : entry.nano)
    if (!billsAll) entry.nano += BigInt(tokens) * perToken
    const data = method === undefined ? text : `data: ${JSON.stringify(masked(JSON.parse(text.slice(6)) as object, asked))}\n\n`
    res.write(isArray ? `${at ? ',' : '['}${data.slice(6).trim()}\n` : data)
    await sleep(billsAll ? PAUSE_MS : SEEN_PAUSE_MS)
  }
  entry.nano = nano
  end(res, entry, tells, isArray ? ']' : '')
}

function left(entry: Entry, nano: bigint): void {
  entry.nano = nano
  entry.status = 'left'
}

/** The mask of Google's interfaces: a member that is not named is left out of the answer. */
function masked(json: object, asked: Asked): object {
  const mask = asked.query.get('fields') ?? asked.query.get('$fields') ?? (asked.headers['x-goog-fieldmask'] as string | undefined)
  if (!mask || mask === '*') return json
  const kept = new Set(mask.split(',').map((name) => name.split(/[./(]/)[0]))
  return Object.fromEntries(Object.entries(json).filter(([name]) => kept.has(name)))
}

function send(res: ServerResponse, data: object): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data))
}

function end(res: ServerResponse, entry: Entry, status: Entry['status'], last: string | Buffer, headers?: Record<string, string>): void {
  entry.status = res.destroyed ? 'left' : status
  if (headers !== undefined) res.writeHead(200, headers)
  res.end(last)
}

interface Priced {
  readonly model: string
  readonly made: Made
  readonly nano: bigint
}

function madeFor(book: Book, model: string, make: (tariff: NonNullable<ReturnType<Book['tariffs']['get']>>) => Made): Priced | Refused {
  const tariff = book.tariffs.get(model)
  if (tariff === undefined) return { status: 404, message: 'No such model.' }
  const made = make(tariff)
  return { model: tariff.id, made, nano: costOf(tariff, made.used, PLAIN) }
}

function otherMade(book: Book, path: string, body: any): Priced | Refused | undefined {
  if (path === '/v1/embeddings') return madeFor(book, body.model, () => embeddings(body))
  if (path === '/v2/rerank') return madeFor(book, body.model, (tariff) => rerank(tariff, body))
  if (path === '/v1/audio/speech') return madeFor(book, body.model, (tariff) => speech(tariff, body))
  return /^\/v1\/images\//.test(path) ? madeFor(book, body.model, () => images(body, body.images?.length ?? 0)) : undefined
}

function formMade(book: Book, asked: Asked): Priced | Refused {
  const { fields, files } = readForm(asked.body, asked.headers['content-type']!)
  if (asked.path === '/v1/images/edits') return madeFor(book, fields['model'] ?? '', () => images(fields, files.length))
  return madeFor(book, fields['model'] ?? '', (tariff) => transcription(tariff, fields, files[0] ?? Buffer.alloc(0)))
}

async function sendMade(book: Book, asked: Asked, res: ServerResponse, priced: Priced | Refused): Promise<void> {
  if (isRefused(priced)) return refuse(res, priced)
  const { model, made, nano } = priced as Priced
  const entry = book.add({ who: asked.who, path: asked.path, model, nano, asked: asked.body.toString('latin1', 0, 300), used: describe(made) })
  res.writeHead(200, { 'content-type': made.type, 'x-request-id': entry.id, 'x-goog-request-id': entry.id })
  for (const part of made.body) {
    await sleep(PAUSE_MS)
    if (res.destroyed) return left(entry, nano)
    res.write(part)
  }
  end(res, entry, made.tells ? 'whole' : 'bare', '')
}
