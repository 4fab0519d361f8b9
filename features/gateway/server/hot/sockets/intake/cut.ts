import { endianness } from 'node:os'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Frames larger than this are forwarded in fragments of this size; a multiple of four, so that each begins with the mask's first byte. */
const FRAGMENT_BYTES = 65_536
const HEAD_BYTES = 14
const NOTHING = Buffer.alloc(0)
const LONG = 127,
  SHORT = 126,
  FIN = 0x80,
  RESERVED = 0x70,
  MASKED = 0x80,
  OPCODE = 0x0f,
  LENGTH = 0x7f
/** Control frames are always short (RFC 6455, 5.5). */
const CONTROL = 8

/** A large frame in transit: the received part is unmasked into fragments. */
interface LargeFrame {
  opcode: number
  readonly isLast: boolean
  readonly mask: Buffer
  left: number
  fragment: Buffer
  filled: number
}

/**
 * Reads a client's frames as they arrive. `ws` gathers a frame, copies it and unmasks it byte by byte in one turn of the loop: 16 MB take
 * 100 ms. A large frame is passed on as unmasked fragments with a zero mask, which `ws` joins; all other bytes pass unchanged.
 */
export interface FrameCutter {
  /** Larger frames are forwarded unchanged, so that `ws` refuses them by their length. */
  readonly most: number
  /** Remaining bytes of a frame that is forwarded as it arrives. */
  left: number
  large: LargeFrame | undefined
  /** Start of a frame header that has not fully arrived. */
  rest: Buffer
}

export const createFrameCutter = (most: number): FrameCutter => ({ most, left: 0, large: undefined, rest: NOTHING })

/** Converts received bytes to the bytes for `ws`. */
export function cutChunk(cutter: FrameCutter, chunk: Buffer): Buffer[] {
  const all = cutter.rest.length === 0 ? chunk : Buffer.concat([cutter.rest, chunk])
  cutter.rest = NOTHING
  const out: Buffer[] = []
  /** Start of the bytes that pass unchanged. */
  let from = 0
  const handOn = (to: number): void => {
    if (to > from) out.push(all.subarray(from, to))
  }
  for (let at = 0; at < all.length;) {
    if (cutter.large !== undefined) at = from = fillLargeFrame(cutter, all, at, out)
    else if (cutter.left > 0) {
      const bytes = Math.min(cutter.left, all.length - at)
      cutter.left -= bytes
      at += bytes
    } else {
      const payload = at + headBytes(all, at)
      if (payload > all.length) {
        handOn(at)
        cutter.rest = Buffer.from(all.subarray(at))
        return out
      }
      cutter.large = readLargeFrame(all, at, payload, cutter.most)
      if (cutter.large === undefined) cutter.left = payloadBytes(all, at)
      else {
        handOn(at)
        from = payload
      }
      at = payload
    }
  }
  handOn(all.length)
  return out
}

/** Length in bytes of the header at `at`, as far as known; never less than needed to determine more. */
function headBytes(all: Buffer, at: number): number {
  if (all.length < at + 2) return 2
  const length = all[at + 1]! & LENGTH
  return 2 + (length === LONG ? 8 : length === SHORT ? 2 : 0) + ((all[at + 1]! & MASKED) === 0 ? 0 : 4)
}

function payloadBytes(all: Buffer, at: number): number {
  const length = all[at + 1]! & LENGTH
  return length === LONG ? Number(all.readBigUInt64BE(at + 2)) : length === SHORT ? all.readUInt16BE(at + 2) : length
}

function readLargeFrame(all: Buffer, at: number, payload: number, most: number): LargeFrame | undefined {
  const first = all[at]!
  const opcode = first & OPCODE
  const bytes = payloadBytes(all, at)
  if (bytes <= FRAGMENT_BYTES || bytes > most) return undefined
  if ((all[at + 1]! & MASKED) === 0 || (first & RESERVED) !== 0 || opcode >= CONTROL) return undefined
  return { opcode, isLast: (first & FIN) !== 0, mask: Buffer.from(all.subarray(payload - 4, payload)), left: bytes, fragment: newFragment(bytes), filled: 0 }
}

/** Returns the position up to which it has consumed the bytes. */
function fillLargeFrame(cutter: FrameCutter, chunk: Buffer, from: number, out: Buffer[]): number {
  const large = cutter.large!
  const bytes = Math.min(large.fragment.length - large.filled, chunk.length - from)
  chunk.copy(large.fragment, large.filled, from, from + bytes)
  large.filled += bytes
  large.left -= bytes
  if (large.filled === large.fragment.length) {
    unmask(large.fragment, large.mask)
    out.push(headOf(large), large.fragment)
    large.opcode = 0
    large.filled = 0
    if (large.left > 0) large.fragment = newFragment(large.left)
    else cutter.large = undefined
  }
  return from + bytes
}

const newFragment = (left: number): Buffer => Buffer.allocUnsafeSlow(Math.min(left, FRAGMENT_BYTES))

function headOf({ opcode, isLast, left, fragment }: LargeFrame): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = opcode | (isLast && left === 0 ? FIN : 0)
  head[1] = MASKED | LONG
  head.writeUInt32BE(fragment.length, 6)
  return head
}

const isLittle = endianness() === 'LE'

/** Four bytes per step. */
function unmask(bytes: Buffer, mask: Buffer): void {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  const word = isLittle ? mask.readUInt32LE(0) : mask.readUInt32BE(0)
  for (let at = 0; at < words.length; at++) words[at]! ^= word
  for (let at = words.length * 4; at < bytes.length; at++) bytes[at]! ^= mask[at & 3]!
}

/** Cuts the connection's data before `ws` reads it. Call it when the connection opens. */
export function cutFrames(socket: WebSocket, bytes: Duplex, most: number): void {
  const readers = bytes.rawListeners('data') as ((this: Duplex, chunk: Buffer) => void)[]
  const cutter = createFrameCutter(most)
  let isRead = true
  // `ws` reads nothing after an error.
  socket.once('error', () => (isRead = false))
  bytes.removeAllListeners('data')
  bytes.on('data', (chunk: Buffer) => {
    for (const piece of cutChunk(cutter, chunk)) for (const read of readers) if (isRead) read.call(bytes, piece)
  })
}
