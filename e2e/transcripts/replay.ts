import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Transcript } from './transcript.ts'

/** How the next responses are sent. */
export interface ReplayScript {
  readonly transcript: Transcript
  /** Splits the body into pieces that are written separately; one piece by default. */
  readonly chunks?: (body: Buffer) => readonly Buffer[]
  /** Cuts the connection after this many bytes of the body. */
  readonly cutAt?: number
  /** Ends the body cleanly after this many bytes. */
  readonly endAt?: number
  readonly pauseMs?: number
}

export interface ReplayRequest { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly body: string }

/** A vendor that replays recorded responses. It does not distinguish requests: set the script, then send. */
export interface ReplayVendor {
  readonly origin: string
  readonly seen: readonly ReplayRequest[]
  play(script: ReplayScript): void
  stop(): Promise<void>
}

export async function startReplayVendor(): Promise<ReplayVendor> {
  const seen: ReplayRequest[] = []
  let script: ReplayScript | undefined
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      seen.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers, body: Buffer.concat(parts).toString() })
      if (script) send(res, script).catch(() => res.destroy())
      else res.writeHead(500).end()
    })
  })
  server.on('connection', (socket: Socket) => socket.setNoDelay(true))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    play: (next) => void (script = next),
    stop: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

async function send(res: ServerResponse, { transcript, chunks, cutAt, endAt, pauseMs }: ReplayScript): Promise<void> {
  const { status, contentType, body } = transcript.response
  const bytes = Buffer.from(body)
  const part = bytes.subarray(0, Math.min(cutAt ?? Infinity, endAt ?? Infinity, bytes.length))
  // A complete response declares its length, so that a cut is detectable; a stream is chunked.
  const length = transcript.stream || endAt !== undefined ? {} : { 'content-length': String(bytes.length) }
  res.on('error', () => undefined)
  res.writeHead(status, { 'content-type': contentType, 'x-request-id': `replay-${transcript.name}`, ...length })
  res.flushHeaders()
  for (const chunk of chunks ? chunks(part) : [part]) {
    if (res.destroyed) return
    if (chunk.length) res.write(chunk)
    // Sends each piece in a separate packet.
    await (pauseMs ? sleep(pauseMs) : turn())
  }
  if (cutAt !== undefined) res.socket?.destroySoon()
  else res.end()
}

/** Ways to cut a body, deterministic across runs. */
export const BODY_CHUNKINGS: Readonly<Record<string, (body: Buffer) => readonly Buffer[]>> = {
  'in one piece': (body) => [body],
  'byte by byte': (body) => pieces(body, () => 1),
  'in threes': (body) => pieces(body, () => 3),
  'at random, seed 1': (body) => pieces(body, random(1, 90)),
  'at random, seed 2': (body) => pieces(body, random(2, 700)),
}

function pieces(body: Buffer, size: () => number): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const next = at + Math.max(1, size())
    found.push(body.subarray(at, next))
    at = next
  }
  return found
}

function random(seed: number, top: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return 1 + state % top
  }
}
