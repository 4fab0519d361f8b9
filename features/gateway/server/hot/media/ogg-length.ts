import { isBudgetSpent, isPauseDue, takeStep } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'

const OPUS_RATE = 48_000

/** Milliseconds of audio in an Opus packet, by its first bytes (RFC 6716, 3.1). */
export function readOpusMs(b: Buffer, at: number): number {
  const toc = b[at] ?? 0
  const config = toc >> 3
  const frame = config < 12 ? [10, 20, 40, 60][config & 3]! : config < 16 ? [10, 20][config & 1]! : [2.5, 5, 10, 20][config & 3]!
  const code = toc & 3
  return frame * (code === 0 ? 1 : code < 3 ? 2 : (b[at + 1] ?? 0) & 63)
}

/** The longer of the last page's position and the decoded length of the packets. undefined for unknown codecs. */
export function* measureOgg(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  const head = b.toString('latin1', 0, Math.min(b.length, 128))
  const vorbis = head.indexOf('\x01vorbis')
  const isOpus = head.includes('OpusHead')
  if (!isOpus && (vorbis < 0 || vorbis + 29 > b.length)) return undefined
  const rate = isOpus ? OPUS_RATE : b.readUInt32LE(vorbis + 12)
  // Short blocks count as long ones: distinguishing them requires decoding a table of the packet.
  const block = isOpus ? 0 : 2 ** (b[vorbis + 28]! >> 4) / 2
  if (rate === 0) return undefined
  let last = 0
  let samples = 0
  for (let at = 0; at + 27 <= b.length;) {
    if (!takeStep(walk)) return undefined
    if (isPauseDue(walk)) yield
    if (b.readUInt32BE(at) !== 0x4f676753) {
      const next = nextPage(b, at + 1, walk)
      if (next < 0) break
      at = next
      continue
    }
    const position = Number(b.readBigInt64LE(at + 6))
    if (position > last) last = position
    const laces = b[at + 26]!
    walk.left -= laces >> 1
    let from = at + 27 + laces
    let isNew = (b[at + 5]! & 1) === 0
    for (let i = 0; i < laces; i++) {
      const lace = b[at + 27 + i]!
      if (isNew && lace > 0 && from < b.length) samples += isOpus ? opusSamples(b, from) : (b[from]! & 1) === 0 ? block : 0
      isNew = lace < 255
      from += lace
    }
    at = from
  }
  if (isBudgetSpent(walk)) return undefined
  const longest = Math.max(last, samples) / rate
  return longest > 0 ? longest : undefined
}

/** Bytes of one search, and its cost in steps: bytes that begin like a page but are none take eight nanoseconds each. */
const WINDOW_BYTES = 32_768
const WINDOW_STEPS = 8_192
const SEARCH_STEPS = 8

/** The next page after damage. -1 at the end, or if the walk was abandoned. */
function nextPage(b: Buffer, from: number, walk: StepBudget): number {
  for (let at = from; at < b.length && takeStep(walk, SEARCH_STEPS); at += WINDOW_BYTES) {
    // Three more bytes, for a page that begins at a window's end.
    const found = b.subarray(at, at + WINDOW_BYTES + 3).indexOf('OggS')
    if (found >= 0) {
      walk.left -= found >> 2
      return at + found
    }
    walk.left -= WINDOW_STEPS
  }
  return -1
}

/** The two header packets contain no audio. */
function opusSamples(b: Buffer, at: number): number {
  const isHead = b[at] === 79 && b[at + 1] === 112 && b[at + 2] === 117 && b[at + 3] === 115
  return isHead ? 0 : (readOpusMs(b, at) * OPUS_RATE) / 1_000
}
