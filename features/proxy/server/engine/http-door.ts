import { createServer, request as requestOf } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { DialRefused } from './dial.ts'
import type { RefusalCause } from './dial.ts'
import type { Guest } from './guest.ts'
import { hangUp } from './hang-up.ts'
import type { ProxyCore } from './proxy-core.ts'
import { registerTunnel, pump, spliceTunnel } from './pump.ts'

/** Responses to refusals: an accurate status that reveals nothing about the internal network. */
const STATUS: Readonly<Record<RefusalCause, readonly [number, string]>> = {
  port: [403, 'Only ports 80 and 443'],
  address: [403, 'Not a public address'],
  unknown: [502, 'Unknown host'],
  down: [502, 'No answer'],
  limit: [429, 'Too many tunnels'],
  spent: [429, 'Traffic used up'],
}
/** Hop-by-hop headers (RFC 9110 7.6.1), and headers that would reveal the customer to the target. */
const HOP_HEADERS = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
  'proxy-authenticate',
])
/** Lower statuses are interim responses. */
const LEAST_STATUS = 200
const IDENTIFYING_HEADERS = new Set(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])

/** Parses `Proxy-Authorization: Basic ...`; undefined if absent or malformed. */
export function parseBasicCredentials(header: string | undefined): { username: string; password: string } | undefined {
  const [, encoded] = /^basic\s+([a-z0-9+/=]+)$/i.exec(header?.trim() ?? '') ?? []
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Parses host and port of a CONNECT line. */
export function parseAuthority(text: string): { host: string; port: number } | undefined {
  const [, six, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:\s/@]{1,253})):(\d{1,5})$/i.exec(text) ?? []
  const host = six ?? name
  return host && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined
}

/** HTTP proxy: CONNECT for encrypted traffic, absolute URLs for plain HTTP. */
export function createHttpDoor(house: ProxyCore, headMs: number): Server {
  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 0, keepAliveTimeout: 30_000 })
  const heads = watchHeads(server, headMs)
  server.on('connect', (request, socket, head) => {
    heads.seen(socket)
    socket.on('error', () => socket.destroy())
    onConnect(house, request, { socket, head }).catch(() => socket.destroy())
  })
  server.on('request', (request, response) => {
    heads.seen(request.socket)
    onRequest(house, request, response).catch(() => response.destroy())
  })
  // No browser sends an upgrade without CONNECT to a proxy
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  return server
}

/** A server that never listens enforces no timeouts: close connections that send no complete request, e.g. one byte at a time. */
function watchHeads(server: Server, headMs: number): { seen(socket: Duplex): void } {
  const waiting = new WeakMap<Duplex, NodeJS.Timeout>()
  const seen = (socket: Duplex) => clearTimeout(waiting.get(socket))
  server.on('connection', (socket) => {
    waiting.set(
      socket,
      setTimeout(() => socket.destroy(), headMs),
    )
    socket.once('close', () => seen(socket))
  })
  return { seen }
}

const toRemoteAddress = (socket: Duplex) => (socket as Duplex & { readonly remoteAddress?: string }).remoteAddress ?? ''

async function authenticateGuest(house: ProxyCore, request: IncomingMessage): Promise<Guest | 'wait' | undefined> {
  const given = parseBasicCredentials(request.headers['proxy-authorization'])
  return given && house.enter(given, toRemoteAddress(request.socket))
}

async function onConnect(house: ProxyCore, request: IncomingMessage, { socket, head }: { readonly socket: Duplex; readonly head: Buffer }): Promise<void> {
  const say = (status: number, reason: string, more = '') =>
    hangUp(socket, `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n${more}\r\n`)
  const guest = await authenticateGuest(house, request)
  if (guest === 'wait') return say(429, 'Too many wrong passwords')
  if (!guest) return say(407, 'Proxy Authentication Required', `proxy-authenticate: ${house.challenge}\r\n`)
  const to = parseAuthority(request.url ?? '')
  if (!to) return say(400, 'Bad Request')
  try {
    const target = await house.reach(guest, to.host, to.port)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length) socket.unshift(head)
    spliceTunnel(socket, target, guest)
  } catch (error) {
    if (!(error instanceof DialRefused)) throw error
    const [status, reason] = STATUS[error.refusal]
    say(status, reason)
  }
}

async function onRequest(house: ProxyCore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'connection': 'close', ...headers }).end(`${text}\n`)
    request.resume()
  }
  const guest = await authenticateGuest(house, request)
  if (guest === 'wait') return say(429, 'Too many wrong passwords')
  if (!guest) return say(407, 'Proxy Authentication Required', { 'proxy-authenticate': house.challenge })
  const url = URL.canParse(request.url ?? '') ? new URL(request.url!) : undefined
  if (url?.protocol !== 'http:') return say(400, 'Bad Request')
  try {
    const target = await house.reach(guest, url.hostname, Number(url.port || 80))
    forward({ request, response, guest, url, target })
  } catch (error) {
    if (!(error instanceof DialRefused)) throw error
    const [status, reason] = STATUS[error.refusal]
    say(status, reason)
  }
}

interface Forwarded {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly guest: Guest
  readonly url: URL
  readonly target: Duplex
}

function forward({ request, response, guest, url, target }: Forwarded): void {
  const end = () => {
    target.destroy()
    response.destroy()
  }
  const release = registerTunnel(guest, end)
  target.once('close', release)
  response.once('close', () => target.destroy())
  const owedMs = guest.take(countHeadBytes(`${request.method} ${request.url} HTTP/1.1`, request.rawHeaders), 'up')
  if (target.destroyed) return // the account's traffic is used up
  const onward = requestOf({
    createConnection: () => target,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...pickEndToEndHeaders(request.headers), host: url.host, connection: 'close' },
  })
  const giveUp = () => (response.headersSent ? end() : void response.writeHead(502, { connection: 'close' }).end())
  onward.once('response', (answer) => {
    const { statusCode = 0 } = answer
    // node:http parses a status of 42 but throws when writing it, which would end every customer's tunnels
    if (statusCode < LEAST_STATUS) return giveUp()
    const waitMs = guest.take(countHeadBytes(`HTTP/1.1 ${statusCode} ${answer.statusMessage}`, answer.rawHeaders), 'down')
    if (target.destroyed) return
    response.writeHead(statusCode, pickEndToEndHeaders(answer.headers))
    pump(answer, response, { guest, direction: 'down', owedMs: waitMs })
    answer.once('aborted', end)
  })
  onward.once('error', giveUp)
  pump(request, onward, { guest, direction: 'up', owedMs })
}

/** Size of a head in bytes: first line, names and values with their separators. */
const countHeadBytes = (firstLine: string, raw: readonly string[]) => raw.reduce((sum, text) => sum + text.length + 2, firstLine.length + 4)

function pickEndToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name) && !IDENTIFYING_HEADERS.has(name) && !named.has(name)))
}
