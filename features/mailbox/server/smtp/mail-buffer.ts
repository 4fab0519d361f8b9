import { setImmediate as nextTurn } from 'node:timers/promises'
import { peerNetwork } from './peers.ts'

/** Memory limits of incoming mails, in bytes. */
export interface MailBufferLimits {
  readonly all: number
  /** Limit of one sending network, so that it leaves space for the others. */
  readonly ofOne: number
}

/** An incoming mail. */
export interface IncomingMail {
  add(piece: Buffer): void
  /** Discards the mail, including chunks still to come. */
  drop(): void
  /** Concatenates the chunks over several turns of the event loop; undefined if the memory did not suffice. */
  whole(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Frees the memory once the mail is stored or refused. */
  release(): void
}

export interface MailBuffer {
  open(ip: string): IncomingMail
}

/** Memory overhead of a chunk in Node: a mail sent byte by byte takes hundreds of times its size. */
const CHUNK_OVERHEAD_BYTES = 512
/** Bytes copied per turn of the event loop: touching new memory takes one or two milliseconds per megabyte. */
const TURN_BYTES = 1_048_576

/** Memory budget of incoming mails, shared among the sending hosts. */
export function createMailBuffer({ all, ofOne }: MailBufferLimits): MailBuffer {
  const peers = new Map<string, number>()
  let used = 0
  const open = (ip: string): IncomingMail => {
    const peer = peerNetwork(ip)
    const pieces: Buffer[] = []
    let [taken, length, isDropped] = [0, 0, false]
    const count = (bytes: number) => {
      used += bytes
      taken += bytes
      const ofPeer = (peers.get(peer) ?? 0) + bytes
      if (ofPeer) peers.set(peer, ofPeer)
      else peers.delete(peer)
    }
    const release = () => {
      pieces.length = 0
      count(-taken)
    }
    const drop = () => {
      isDropped = true
      release()
    }
    return {
      add: (piece) => {
        const bytes = piece.length + CHUNK_OVERHEAD_BYTES
        if (isDropped) return
        if (used + bytes > all || (peers.get(peer) ?? 0) + bytes > ofOne) return drop()
        pieces.push(piece)
        length += piece.length
        count(bytes)
      },
      drop,
      whole: async () => {
        if (isDropped) return undefined
        const raw = new Uint8Array(length)
        let [at, pauseAt] = [0, TURN_BYTES]
        // Frees each chunk once it is copied
        const rest = pieces.splice(0).reverse()
        for (let piece = rest.pop(); piece; piece = rest.pop()) {
          raw.set(piece, at)
          at += piece.length
          if (at < pauseAt) continue
          pauseAt = at + TURN_BYTES
          await nextTurn()
        }
        return raw
      },
      release,
    }
  }
  return { open }
}
