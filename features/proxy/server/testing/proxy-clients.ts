import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, createServer as createTcp } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Policy } from '../engine/dial.ts'

/** Listens on a free port of this machine. */
export async function listenFree(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return (server.address() as AddressInfo).port
}

/** A web server that reports the request it received, with an endless response at /endless. */
export const aTarget = () =>
  createServer((incoming, reply) => {
    if (incoming.url === '/endless') {
      const more = () => void (reply.writable && reply.write(Buffer.alloc(16_384)) ? setImmediate(more) : undefined)
      reply.on('drain', more)
      return more()
    }
    reply.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }))
  })

/** An echo server. */
export const anEcho = () => createTcp((socket) => socket.on('error', () => {}).pipe(socket))

/** A policy that allows only the given targets of this machine. */
export const aPolicy = (except: readonly string[], names: Readonly<Record<string, readonly string[]>> = {}): Policy => ({
  ports: [80, 443],
  refused: [],
  except: new Set(except),
  resolve: async (name) => names[name] ?? [],
})

export interface Tunnel {
  readonly status: number
  readonly socket: Socket
}

export const buildBasicAuth = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Opens a CONNECT tunnel through a proxy. */
export function openTunnel(proxyPort: number, to: string, auth?: string): Promise<Tunnel> {
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port: proxyPort, method: 'CONNECT', path: to, headers: auth ? { 'proxy-authorization': auth } : {} })
      .on('connect', ({ statusCode = 0 }, socket, head) => {
        if (head.length) socket.unshift(head)
        done({ status: statusCode, socket: (socket as Socket).on('error', () => {}) })
      })
      .on('error', failed)
      .end()
  })
}

/** Sends a plain request through a proxy. */
export function fetchByProxy(proxyPort: number, url: string, auth?: string): Promise<{ status: number; body: string; headers: IncomingHttpHeaders }> {
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port: proxyPort, path: url, headers: { host: new URL(url).host, ...(auth ? { 'proxy-authorization': auth } : {}) } })
      .on('response', (reply) => {
        let body = ''
        reply.on('data', (chunk) => (body += chunk)).on('end', () => done({ status: reply.statusCode ?? 0, body, headers: reply.headers }))
      })
      .on('error', failed)
      .end()
  })
}

/** Connects by SOCKS5 with a password; resolves to the reply code, and the socket if it is 0. `greeted` runs before the target is sent. */
export async function openSocks(
  proxyPort: number,
  host: string,
  {
    port,
    username,
    password,
    greeted,
  }: { readonly port: number; readonly username: string; readonly password: string; readonly greeted?: () => Promise<unknown> },
): Promise<{ code: number; socket: Socket }> {
  const socket = connect(proxyPort, '127.0.0.1').on('error', () => {})
  const next = () => new Promise<Buffer>((done) => void socket.once('data', done).once('close', () => done(Buffer.of(0xff, 0xff))))
  const say = (bytes: Buffer) => {
    const answer = next()
    socket.write(bytes)
    return answer
  }
  await say(Buffer.of(5, 1, 2))
  const passed = await say(Buffer.concat([Buffer.of(1, username.length), Buffer.from(username), Buffer.of(password.length), Buffer.from(password)]))
  if (passed[1] !== 0) return { code: -1, socket }
  await greeted?.()
  const bytes = Buffer.concat([Buffer.of(5, 1, 0, 3, host.length), Buffer.from(host), Buffer.of(port >> 8, port & 255)])
  return { code: (await say(bytes))[1]!, socket }
}

/** Sends a text through a tunnel to an echo server and resolves to its reply. */
export function sendEcho(socket: Socket, text: string): Promise<string> {
  return new Promise((done) => {
    let got = ''
    const read = (chunk: Buffer) => {
      got += chunk
      if (got.length < text.length) return
      socket.off('data', read)
      done(got)
    }
    socket.on('data', read)
    socket.write(text)
  })
}

export const waitForClose = (socket: Socket) => new Promise<void>((done) => (socket.destroyed ? done() : void socket.once('close', () => done()).resume()))
