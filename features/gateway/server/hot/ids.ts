import { randomFillSync } from 'node:crypto'

const block = Buffer.alloc(4_096)
let used = block.length

/** 24 hex characters: 32 bits of time, 64 random bits. Random bytes are drawn by the block: one draw a call costs too much here. */
export function newCallKey(nowMs: number): string {
  if (used + 8 > block.length) {
    randomFillSync(block)
    used = 0
  }
  const random = block.toString('hex', used, used + 8)
  used += 8
  return (
    Math.floor(nowMs / 1_000)
      .toString(16)
      .padStart(8, '0') + random
  )
}
