import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { WebSocketServer } from 'ws'
import { refusal } from '../write/errors.ts'
import { DEFAULT_KEY } from '../server.ts'
import type { ModelStandInOptions } from '../server.ts'
import { serveLive } from './live/live.ts'
import { serveRealtime } from './realtime/realtime.ts'

const LIVE = /^(?:\/google)?\/ws\/google\.ai\.generativelanguage\.v1\w{0,10}\.GenerativeService\.BidiGenerateContent$/
const REALTIME = /^(?:\/[a-z][a-z0-9-]*)?\/v1\/realtime$/
const FRAME_BYTES = 32 * 1024 * 1024

/** The sandbox's sockets, for the server's `upgrade`: Realtime and Live under /sandbox/upstream or at the root. */
export function createModelSockets(options: ModelStandInOptions): (req: IncomingMessage, socket: Duplex, early: Buffer) => void {
  const keys = new Set(options.keys?.length ? options.keys : [DEFAULT_KEY])
  const wss = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: FRAME_BYTES })
  return (req, socket, early) => {
    socket.on('error', () => undefined)
    const [rawPath = '', rawQuery = ''] = (req.url ?? '').split('?', 2)
    const path = rawPath.replace(/^\/sandbox\/upstream(?=\/|$)/, '')
    const query = new URLSearchParams(rawQuery)
    const isLive = LIVE.test(path)
    if (!isLive && !REALTIME.test(path)) return refuse(socket, 'openai', 'not-found')
    const bearer = /^Bearer\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1]
    const google = String(req.headers['x-goog-api-key'] ?? query.get('key') ?? '')
    const key = isLive ? google || bearer : bearer
    if (!key || !keys.has(key)) return refuse(socket, isLive ? 'gemini' : 'openai', 'unauthorized')
    const model = query.get('model') ?? ''
    if (!isLive && (!model || model.startsWith('missing'))) return refuse(socket, 'openai', 'not-found')
    const given = req.headers[options.callIdHeader ?? 'x-mingxi-call-id']
    const callId = typeof given === 'string' ? given : `sess_${randomBytes(8).toString('hex')}`
    wss.handleUpgrade(req, socket, early, (client) => {
      client.on('error', () => undefined)
      const at = { socket: client, book: options.book, callId, chunkMs: options.chunkMs ?? 0 }
      if (isLive) serveLive(at)
      else serveRealtime(at, model)
    })
  }
}

function refuse(socket: Duplex, surface: 'openai' | 'gemini', cause: Parameters<typeof refusal>[1]): void {
  const { status, body } = refusal(surface, cause, {})
  const text = JSON.stringify(body)
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
