import { skipSpace } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import { MAX_CLIENT_FRAME_BYTES } from './intake/weigh-frame.ts'

/**
 * A socket's memory of its own responses, so that a turn may name the previous one and send only new items. The vendor also keeps
 * them in memory per connection; an unknown response is `previous_response_not_found`.
 */
export interface Chain {
  /** Items of response `id`: the conversation up to its end, as JSON elements joined by commas. */
  find(id: string): Buffer | undefined
  keep(id: string, items: Buffer): void
  forget(id: string): void
  /** The socket is gone. */
  clear(): void
}

/** Bytes that all sockets of the process may remember together; beyond this, clients must resend their whole context. */
export interface ChainMemory {
  readonly most: number
  used: number
}

export const createChainMemory = (most = 512 * 1024 * 1024): ChainMemory => ({ most, used: 0 })

/** Responses that may still be referenced, and their bytes: forks are rare, and usually only the newest is. */
const MAX_RESPONSES = 16
const MAX_RESPONSE_BYTES = MAX_CLIENT_FRAME_BYTES

export function createChain(memory: ChainMemory): Chain {
  const known = new Map<string, Buffer>()
  let bytes = 0
  const forget = (id: string): void => {
    const items = known.get(id)
    if (items === undefined) return
    known.delete(id)
    bytes -= items.length
    memory.used -= items.length
  }
  return {
    find: (id) => known.get(id),
    forget,
    keep(id, items) {
      forget(id)
      if (items.length > MAX_RESPONSE_BYTES) return
      known.set(id, items)
      bytes += items.length
      memory.used += items.length
      for (const oldest of known.keys()) {
        if (known.size <= MAX_RESPONSES && bytes <= MAX_RESPONSE_BYTES && memory.used <= memory.most) break
        forget(oldest)
      }
    },
    clear() {
      for (const id of known.keys()) forget(id)
    },
  }
}

const COMMA = Buffer.from(',')
const NOTHING = Buffer.alloc(0)
const USER_MESSAGE_START = Buffer.from('{"type":"message","role":"user","content":')
const USER_MESSAGE_END = Buffer.from('}')

/** Returns `input` as array elements without brackets; a plain string becomes a user message. Undefined if it is neither. */
export function readInputItems(value: Buffer | undefined): Buffer | undefined {
  if (value === undefined) return NOTHING
  if (value[0] === 34) return Buffer.concat([USER_MESSAGE_START, value, USER_MESSAGE_END])
  if (value[0] !== 91) return undefined
  return value[skipSpace(value, 1, value.length)] === 93 ? NOTHING : value.subarray(1, value.length - 1)
}

export function joinItems(...parts: readonly Buffer[]): Buffer {
  const full = parts.filter((part) => part.length > 0)
  if (full.length < 2) return full[0] ?? NOTHING
  return Buffer.concat(full.flatMap((part, at) => (at === 0 ? [part] : [COMMA, part])))
}

/**
 * Converts output items into input of the next turn. Reasoning without encrypted content is dropped, because it cannot be looked up,
 * just as with a vendor that stores nothing.
 */
export function convertOutputItems(output: unknown): Buffer {
  if (!Array.isArray(output)) return NOTHING
  const kept = output.filter((item) => isRaw(item) && (item['type'] !== 'reasoning' || typeof item['encrypted_content'] === 'string'))
  const text = JSON.stringify(kept)
  return Buffer.from(text.slice(1, -1))
}
