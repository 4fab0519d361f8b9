import { WebSocket } from 'ws'
import { REMOTE_SOCKET_PROTOCOL, REMOTE_SOCKET_PATH } from '../../wire.ts'
import type { RemotePageMessage, RemoteServerMessage } from '../../wire.ts'

/** A viewer without a browser: receives a session's pictures over its socket, as fast as it can. */
export interface TestViewer {
  readonly told: RemoteServerMessage[]
  pictures(): number
  bytes(): number
  send(wish: RemotePageMessage): void
  /** Resolves at the next picture, with the time of its arrival. */
  next(): Promise<number>
  readonly closed: Promise<void>
  /** Stops reading. */
  pause(): void
  close(): void
}

/** `isSeeing` false: never reports pictures as drawn, so that nothing is charged. */
export function openTestViewer(baseUrl: string, ticket: string, { isSeeing = true, origin = baseUrl } = {}): Promise<TestViewer> {
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}${REMOTE_SOCKET_PATH}`, [REMOTE_SOCKET_PROTOCOL, ticket], { origin })
  const told: RemoteServerMessage[] = []
  let [pictures, bytes] = [0, 0]
  let waiting: ((at: number) => void)[] = []
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void told.push(JSON.parse(String(data)) as RemoteServerMessage)
    pictures++
    bytes += data.length
    for (const tell of waiting) tell(performance.now())
    waiting = []
    if (isSeeing) send({ do: 'drawn' })
  })
  const send = (wish: RemotePageMessage) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(wish))
  return new Promise((done, failed) => {
    socket.once('error', failed)
    socket.once('open', () => {
      socket.on('error', () => undefined)
      done({
        told,
        pictures: () => pictures,
        bytes: () => bytes,
        send,
        next: () => new Promise((seen) => waiting.push(seen)),
        closed,
        pause: () => socket.pause(),
        close: () => socket.close(),
      })
    })
  })
}
