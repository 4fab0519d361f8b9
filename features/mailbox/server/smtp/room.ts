import { networkOf } from './peers.ts'

/** Bytes of mails that are being received at one time. */
export interface RoomLimits {
  readonly all: number
  /** Of one machine's: it leaves room for the others. */
  readonly ofOne: number
}

/** One mail on its way in. */
export interface Incoming {
  add(piece: Buffer): void
  /** None of it is wanted any more, nor what is still to come. */
  drop(): void
  /** All of it, put together over several turns of the event loop; undefined where there was no room for some of it. */
  whole(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** It is kept, or refused. */
  release(): void
}

export interface Room {
  open(ip: string): Incoming
}

/** What Node keeps about a piece beside its bytes: a mail of single bytes takes a hundred times its size. */
const PIECE_BYTES = 512
/** Copied in one turn of the event loop: memory that is used for the first time takes a millisecond or two. */
const TURN_BYTES = 1_048_576

/** Resolves in the next turn of the event loop, so that other work runs first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** The memory of the mails under way, shared among who sends them. */
export function createRoom({ all, ofOne }: RoomLimits): Room {
  const peers = new Map<string, number>()
  let used = 0
  const open = (ip: string): Incoming => {
    const peer = networkOf(ip)
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
        const bytes = piece.length + PIECE_BYTES
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
        // Each piece goes when it is copied
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
