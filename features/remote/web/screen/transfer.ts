import { FILE_CHUNK_BYTES } from '../../wire.ts'
import type { RemoteDownload, RemotePageMessage, RemoteServerMessage } from '../../wire.ts'

/** Pieces in flight: enough to fill a connection with high latency, few enough to keep each wait short. */
const MAX_PENDING_CHUNKS = 4
/** Limit of messages per second, below the server's rate limit so that input has room. */
const CHUNK_DELAY_MS = 5

type ChunkReply = Extract<RemoteServerMessage, { tell: 'put' | 'piece' }>

/** Transfers files in both directions, piece by piece. A lost connection fails the transfers in progress; the caller may start them again. */
export interface FileTransfers {
  /** Handles the response to a piece. */
  hear(message: ChunkReply): void
  /** Fails the transfer of one file, or all of them. */
  fail(file?: string): void
  /** Uploads a file and resolves to its id. `told` receives the bytes sent so far. */
  send(file: File, told: (bytes: number) => void): Promise<string>
  fetch(download: Pick<RemoteDownload, 'id' | 'size'>, told: (bytes: number) => void): Promise<Blob>
}

export function createFileTransfers(wish: (wish: RemotePageMessage) => void, newId: () => string = () => crypto.randomUUID()): FileTransfers {
  const waiting = new Map<string, { done: (answer: ChunkReply) => void; failed: (error: Error) => void }>()
  const ask = (key: string, one: RemotePageMessage) =>
    new Promise<ChunkReply>((done, failed) => {
      waiting.set(key, { done, failed })
      wish(one)
    })
  const send: FileTransfers['send'] = async (file, told) => {
    const id = newId()
    const { name, size } = file
    const under: Promise<unknown>[] = []
    let at = 0
    do {
      const bytes = new Uint8Array(await file.slice(at, at + FILE_CHUNK_BYTES).arrayBuffer())
      const end = at + bytes.length
      // Abort if the file changed since it was chosen
      if (bytes.length === 0 && size > 0) throw new Error('the file has changed')
      under.push(ask(`put ${id} ${end}`, { do: 'put', file: id, name, size, at, data: base64Of(bytes) }).then(() => told(end)))
      // Avoids an unhandled rejection; the await below still gets the error
      under.at(-1)!.catch(() => undefined)
      if (under.length >= MAX_PENDING_CHUNKS) await under.shift()
      at = end
      await waitForPace()
    } while (at < size)
    await Promise.all(under)
    return id
  }
  const fetch: FileTransfers['fetch'] = async ({ id, size }, told) => {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let [next, got] = [0, 0]
    const pull = async () => {
      while (next < size) {
        const at = next
        next += FILE_CHUNK_BYTES
        const answer = await ask(`piece ${id} ${at}`, { do: 'get', file: id, at })
        const bytes = answer.tell === 'piece' ? bytesOf(answer.data) : new Uint8Array()
        if (bytes.length !== Math.min(FILE_CHUNK_BYTES, size - at)) throw new Error('a piece is missing')
        pieces[at / FILE_CHUNK_BYTES] = bytes
        told((got += bytes.length))
        await waitForPace()
      }
    }
    await Promise.all(Array.from({ length: MAX_PENDING_CHUNKS }, pull))
    return new Blob(pieces)
  }
  return {
    hear: (answer) => {
      const key = `${answer.tell} ${answer.file} ${answer.at}`
      const asked = waiting.get(key)
      waiting.delete(key)
      asked?.done(answer)
    },
    fail: (file) => {
      for (const [key, { failed }] of waiting) {
        if (file !== undefined && key.split(' ')[1] !== file) continue
        waiting.delete(key)
        failed(new Error('broken off'))
      }
    },
    send,
    fetch,
  }
}

const waitForPace = () => new Promise((done) => setTimeout(done, CHUNK_DELAY_MS))

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
