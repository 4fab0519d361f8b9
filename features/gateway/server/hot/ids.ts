import { randomFillSync } from 'node:crypto'

const block = Buffer.alloc(4_096)
const KEY_CHARS = 16
let random = ''
let used = 0
let second = -1
let time = ''

/**
 * 24 hex characters: 32 bits of time, 64 random bits. Random bytes are drawn in blocks and the time is written once a second, because both
 * are too slow per call.
 */
export function createCallKey(nowMs: number): string {
  if (used === random.length) {
    random = randomFillSync(block).toString('hex')
    used = 0
  }
  const now = Math.floor(nowMs / 1_000)
  if (now !== second) {
    second = now
    time = now.toString(16).padStart(8, '0')
  }
  used += KEY_CHARS
  return time + random.slice(used - KEY_CHARS, used)
}
