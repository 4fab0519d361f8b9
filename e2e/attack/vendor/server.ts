import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildChatAnswer, buildClaudeAnswer, buildGeminiAnswer, buildResponsesAnswer } from './answers.ts'
import type { VendorAnswer, UsageReporting } from './answers.ts'
import { openAttackVendorBook, findStrategyName } from './book.ts'
import type { AttackVendorBook, AttackBookEntry } from './book.ts'
import {
  describeMediaUsage,
  chargeEmbeddings,
  chargeGeminiEmbedding,
  chargeImages,
  parseAttackForm,
  chargeRerank,
  chargeSpeech,
  chargeTranscription,
} from './media.ts'
import type { MediaCharge } from './media.ts'
import { computeClaudeWorstCase, computeGeminiWorstCase, isVendorRefusal, computeOpenaiWorstCase } from './worst-case.ts'
import type { WorstCase, VendorRefusal } from './worst-case.ts'
import { parseJson } from './prompt-contents.ts'
import { acceptVendorSockets } from './sockets.ts'
import { PLAIN_RATE, computeUsageCost } from './tariff.ts'

/**
 * A vendor, behind all base URLs, that bills the most that each request it receives permits, and says so in its usage: no figure is
 * a lie. Most of an answer is hidden, and made before the first word of it; who leaves is billed what was made by then, Google's
 * askers the whole. It keeps a book of its own.
 */
export interface AttackVendor {
  readonly url: string
  readonly book: AttackVendorBook
  /** Requests and responses that are under way. */
  running(): number
  stop(): Promise<void>
}

/** Between two events of an answer, so that an asker can leave there. */
const PAUSE_MS = 2
/** The same where all can be seen: sixteen tokens in this time are as fast as models are. */
const VISIBLE_PAUSE_MS = 12

interface VendorRequest {
  readonly who: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly telling: UsageReporting
}

export async function startAttackVendor(): Promise<AttackVendor> {
  const book = openAttackVendorBook()
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
      const asked: VendorRequest = {
        who: findStrategyName(req.headers, body.toString('latin1', 0, 4_000)),
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
  acceptVendorSockets(server, book)
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

function refuse(res: ServerResponse, { status, message }: VendorRefusal): void {
  const error = { message, type: 'invalid_request_error', param: null, code: status, status: 'INVALID_ARGUMENT' }
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
}

async function answer(book: AttackVendorBook, asked: VendorRequest, res: ServerResponse): Promise<void> {
  // The upstream that thinks for a while and then fails: such a request is not billed.
  if (asked.path.startsWith('/late')) {
    await sleep(150)
    return refuse(res, { status: 500, message: 'The server had an error.' })
  }
  const path = asked.path.replace(/^\/second/, '')
  const gemini = /^\/v1beta\/models\/([^:]+):(\w+)$/.exec(path)
  if (/count_tokens|countTokens/.test(path)) return send(res, { input_tokens: 7, totalTokens: 7 })
  if (path === '/v1/moderations') return send(res, { id: 'modr', model: 'omni-moderation-latest', results: [{ flagged: false }] })
  if (/multipart/.test(asked.headers['content-type'] ?? '')) return sendMedia(book, asked, res, priceFormRequest(book, asked))
  const text = asked.body.toString().replace(/^\uFEFF/, '')
  const readings = text.length < 100_000 ? [parseJson(text, 'last'), parseJson(text, 'first')] : [parseJson(text, 'last')]
  if (gemini?.[2] === 'embedContent' || gemini?.[2] === 'batchEmbedContents')
    return sendMedia(
      book,
      asked,
      res,
      priceMedia(book, gemini[1]!, () => chargeGeminiEmbedding(readings[0])),
    )
  const made = priceJsonRequest(book, path, readings[0])
  if (made !== undefined) return sendMedia(book, asked, res, made)
  const costed = readings.map((body) => ({ body, most: computeWorstCase(book, path, gemini?.[1], body) }))
  const refused = costed.find(({ most }) => isVendorRefusal(most))
  if (refused !== undefined) return refuse(res, refused.most as VendorRefusal)
  // If a duplicate JSON member makes the request ambiguous, the more expensive reading is served and billed.
  const [dearest] = costed
    .map(({ body, most }) => ({ body, most: most as WorstCase, nano: billOf(most as WorstCase) }))
    .toSorted((a, b) => (a.nano < b.nano ? 1 : -1))
  await converse(book, asked, res, path, gemini?.[2], dearest!)
}

function computeWorstCase(book: AttackVendorBook, path: string, geminiModel: string | undefined, body: any): WorstCase | VendorRefusal {
  const tariff = book.tariffs.get(geminiModel === undefined ? body.model : decodeURIComponent(geminiModel))
  if (tariff === undefined) return { status: 404, message: 'No such model.' }
  if (geminiModel !== undefined) return computeGeminiWorstCase(tariff, body)
  return path === '/v1/messages' ? computeClaudeWorstCase(tariff, body, book) : computeOpenaiWorstCase(tariff, body, path !== '/v1/responses')
}

const billOf = (most: WorstCase): bigint =>
  computeUsageCost(most.tariff, most.used, most.rate) +
  most.fees +
  most.steps.reduce((sum, step) => sum + computeUsageCost(step.tariff, step.used, most.rate), 0n)

function buildAnswer(path: string, method: string | undefined, most: WorstCase, telling: UsageReporting, body: any, id: string): VendorAnswer {
  if (method !== undefined) return buildGeminiAnswer(most, telling)
  if (path === '/v1/messages') return buildClaudeAnswer(most, telling)
  return path === '/v1/responses' ? buildResponsesAnswer(most, telling, body, `resp_${id}`) : buildChatAnswer(most, telling, body)
}

async function converse(
  book: AttackVendorBook,
  asked: VendorRequest,
  res: ServerResponse,
  path: string,
  method: string | undefined,
  { body, most, nano }: { readonly body: any; readonly most: WorstCase; readonly nano: bigint },
): Promise<void> {
  const isStream = method === undefined ? body.stream === true : method === 'streamGenerateContent'
  const billsAll = most.tariff.vendor === 'google' || most.hidden || !isStream
  const perToken = computeUsageCost(most.tariff, { output: 1_000 }, most.rate) / 1_000n
  const entry = book.add({
    who: asked.who,
    path,
    model: most.tariff.id,
    nano,
    asked: asked.body.toString('latin1', 0, 300),
    used: JSON.stringify({ ...most.used, ...most.tools, tier: most.tier, fees: Number(most.fees) }),
  })
  const { json, events } = buildAnswer(path, method, most, asked.telling, body, entry.id)
  // Visible output is billed event by event, as it is generated.
  if (!billsAll) entry.nano -= events.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n) * perToken
  const headers = { 'x-request-id': entry.id, 'request-id': entry.id, 'x-goog-request-id': entry.id }
  const tells = asked.telling === 'all' ? 'whole' : 'bare'
  await sleep(PAUSE_MS)
  if (!isStream) return end(res, entry, tells, JSON.stringify(applyFieldMask(json, asked)), { ...headers, 'content-type': 'application/json' })
  const isArray = method !== undefined && asked.query.get('alt') !== 'sse'
  res.writeHead(200, { ...headers, 'content-type': isArray ? 'application/json' : 'text/event-stream' })
  for (const [at, { text, tokens }] of events.entries()) {
    if (res.destroyed || res.socket?.destroyed) return markAsLeft(entry, billsAll ? nano : entry.nano)
    if (!billsAll) entry.nano += BigInt(tokens) * perToken
    const data = method === undefined ? text : `data: ${JSON.stringify(applyFieldMask(JSON.parse(text.slice(6)) as object, asked))}\n\n`
    res.write(isArray ? `${at ? ',' : '['}${data.slice(6).trim()}\n` : data)
    await sleep(billsAll ? PAUSE_MS : VISIBLE_PAUSE_MS)
  }
  entry.nano = nano
  end(res, entry, tells, isArray ? ']' : '')
}

function markAsLeft(entry: AttackBookEntry, nano: bigint): void {
  entry.nano = nano
  entry.status = 'left'
}

/** The mask of Google's interfaces: a member that is not named is left out of the answer. */
function applyFieldMask(json: object, asked: VendorRequest): object {
  const mask = asked.query.get('fields') ?? asked.query.get('$fields') ?? (asked.headers['x-goog-fieldmask'] as string | undefined)
  if (!mask || mask === '*') return json
  const kept = new Set(mask.split(',').map((name) => name.split(/[./(]/)[0]))
  return Object.fromEntries(Object.entries(json).filter(([name]) => kept.has(name)))
}

function send(res: ServerResponse, data: object): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data))
}

function end(res: ServerResponse, entry: AttackBookEntry, status: AttackBookEntry['status'], last: string | Buffer, headers?: Record<string, string>): void {
  entry.status = res.destroyed ? 'left' : status
  if (headers !== undefined) res.writeHead(200, headers)
  res.end(last)
}

interface PricedMedia {
  readonly model: string
  readonly made: MediaCharge
  readonly nano: bigint
}

function priceMedia(
  book: AttackVendorBook,
  model: string,
  make: (tariff: NonNullable<ReturnType<AttackVendorBook['tariffs']['get']>>) => MediaCharge,
): PricedMedia | VendorRefusal {
  const tariff = book.tariffs.get(model)
  if (tariff === undefined) return { status: 404, message: 'No such model.' }
  const made = make(tariff)
  return { model: tariff.id, made, nano: computeUsageCost(tariff, made.used, PLAIN_RATE) }
}

function priceJsonRequest(book: AttackVendorBook, path: string, body: any): PricedMedia | VendorRefusal | undefined {
  if (path === '/v1/embeddings') return priceMedia(book, body.model, () => chargeEmbeddings(body))
  if (path === '/v2/rerank') return priceMedia(book, body.model, (tariff) => chargeRerank(tariff, body))
  if (path === '/v1/audio/speech') return priceMedia(book, body.model, (tariff) => chargeSpeech(tariff, body))
  return /^\/v1\/images\//.test(path) ? priceMedia(book, body.model, () => chargeImages(body, body.images?.length ?? 0)) : undefined
}

function priceFormRequest(book: AttackVendorBook, asked: VendorRequest): PricedMedia | VendorRefusal {
  const { fields, files } = parseAttackForm(asked.body, asked.headers['content-type']!)
  if (asked.path === '/v1/images/edits') return priceMedia(book, fields['model'] ?? '', () => chargeImages(fields, files.length))
  return priceMedia(book, fields['model'] ?? '', (tariff) => chargeTranscription(tariff, fields, files[0] ?? Buffer.alloc(0)))
}

async function sendMedia(book: AttackVendorBook, asked: VendorRequest, res: ServerResponse, priced: PricedMedia | VendorRefusal): Promise<void> {
  if (isVendorRefusal(priced)) return refuse(res, priced)
  const { model, made, nano } = priced as PricedMedia
  const entry = book.add({ who: asked.who, path: asked.path, model, nano, asked: asked.body.toString('latin1', 0, 300), used: describeMediaUsage(made) })
  res.writeHead(200, { 'content-type': made.type, 'x-request-id': entry.id, 'x-goog-request-id': entry.id })
  for (const part of made.body) {
    await sleep(PAUSE_MS)
    if (res.destroyed) return markAsLeft(entry, nano)
    res.write(part)
  }
  end(res, entry, made.tells ? 'whole' : 'bare', '')
}
