import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isWebSocketUpgrade } from '#platform/server/http/http.ts'
import { openLane } from '#platform/server/lane/lane.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import type { HotDeps, GatewayModel, UpstreamServer } from '../deps.ts'
import { createRelay } from '../index.ts'
import type { Relay } from '../index.ts'
import { TEST_KEY, aModel, anUpstream, createFakeDeps } from './fake-deps.ts'
import type { FakeHotDeps } from './fake-deps.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import type { FakeUpstream } from './fake-upstream.ts'

export interface LabAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly complete: boolean
}

/** A relay on a real server in front of fake upstreams. */
export interface Lab extends FakeHotDeps {
  readonly relay: Relay
  readonly port: number
  readonly upstream: FakeUpstream
  readonly second: FakeUpstream
  readonly close: () => Promise<void>
}

export interface LabOptions {
  readonly accountShare?: HotDeps['accountShare']
  readonly limits?: Partial<HotDeps['limits']>
  readonly upstream?: Partial<UpstreamServer>
  readonly model?: Partial<GatewayModel>
  readonly failover?: boolean
  readonly upstreamModel?: string
  /** Random number per estimate; below 0.2 the estimate is checked. */
  readonly random?: () => number
}

export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const fake = createFakeDeps(options.limits)
  const upstream = await startFakeUpstream()
  const second = await startFakeUpstream()
  const first = anUpstream(upstream.origin, options.upstream)
  const other = anUpstream(second.origin, { id: 'up-2' })
  const routes = [
    { upstream: first, upstreamModel: options.upstreamModel ?? 'm' },
    ...(options.failover === true ? [{ upstream: other, upstreamModel: 'm', rank: 1 }] : []),
  ]
  fake.models.set('m', aModel('m', routes, options.model))
  if (options.random !== undefined) Object.assign(fake.deps, { random: options.random })
  const relay = createRelay(options.accountShare === undefined ? fake.deps : { ...fake.deps, accountShare: options.accountShare })
  const server: Server = createServer({ shouldUpgradeCallback: isWebSocketUpgrade }, (req, res) => {
    if (relay.handles(req.url ?? '', req.rawHeaders)) relay.handle(req, res)
    else res.writeHead(299).end('platform')
  })
  openLane(server, { takes: relay.handles, handle: relay.handle })
  server.on('clientError', (error, socket) => relay.clientError(error, socket))
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (req, socket, early) => {
    upgraded.add(socket)
    relay.upgrade(req, socket, early)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...fake,
    relay,
    upstream,
    second,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of upgraded) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([upstream.close(), second.close(), first.client.close()])
    },
  }
}

export interface LabRequest {
  readonly path?: string
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: unknown
  readonly onData?: (text: string, res: IncomingMessage) => void
}

export function callLab(lab: Lab, ask: LabRequest = {}): Promise<LabAnswer> {
  const body = ask.body === undefined ? undefined : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body)
  return new Promise((resolve, reject) => {
    const req = request(
      {
        port: lab.port,
        host: '127.0.0.1',
        method: ask.method ?? (body === undefined ? 'GET' : 'POST'),
        path: ask.path ?? '/v1/chat/completions',
        agent: false,
        headers: {
          'authorization': `Bearer ${TEST_KEY}`,
          'content-type': 'application/json',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...ask.headers,
        },
      },
      (res) => {
        let text = ''
        const done = (): void => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text, complete: res.complete })
        res.setEncoding('utf8')
        res.on('data', (part: string) => {
          text += part
          ask.onData?.(text, res)
        })
        res.on('end', done)
        res.on('error', done)
        res.on('close', done)
      },
    )
    req.on('error', reject)
    req.end(body)
  })
}

export function rawSocket(lab: Lab): Socket {
  const socket = connect(lab.port, '127.0.0.1')
  socket.on('error', () => undefined)
  return socket
}

export async function waitForCondition(what: () => boolean, ms = PATIENCE_MS): Promise<void> {
  const end = performance.now() + ms
  while (!what()) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain for ${what.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

export const CHAT_REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }
export const CHAT_STREAM_REQUEST = { ...CHAT_REQUEST, stream: true }
export const CHAT_STREAM_USAGE_REQUEST = { ...CHAT_STREAM_REQUEST, stream_options: { include_usage: true } }
