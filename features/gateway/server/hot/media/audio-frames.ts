import { AAC_RATES } from './mp4-length.ts'
import { step } from './steps.ts'
import type { Steps } from './steps.ts'

/** MP3 and AAC (ADTS) are rows of frames; their lengths add up. Kilobits a second by version and layer. */
const FIRST: readonly (readonly number[])[] = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
]
const SECOND: readonly (readonly number[])[] = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const RATES = [44_100, 48_000, 32_000]

/** The frame that was looked at last; no object a frame. */
let bytes = 0
let seconds = 0

/**
 * Adds up the frames of the sample and scales to the whole. Undefined unless frames follow each other: random bytes that look like one frame are
 * no audio. Damage is passed over, however long it is: a decoder finds the next frame too.
 */
export function framesLength(b: Buffer, total: number, walk: Steps): number | undefined {
  let at = afterTag(b)
  const from = at
  let sum = 0
  let frames = 0
  while (at + 7 <= b.length) {
    if (!step(walk)) return undefined
    if (isFrame(b, at)) {
      at += bytes
      sum += seconds
      frames++
      continue
    }
    // A tag, or damage.
    const next = nextSync(b, at + 1, walk)
    if (next < 0) break
    at = next
  }
  if (frames < 3) return undefined
  return b.length >= total ? sum : (sum * (total - from)) / Math.max(1, Math.min(at, b.length) - from)
}

/** ID3v2 at the beginning, cover pictures and all. */
function afterTag(b: Buffer): number {
  if (b.toString('latin1', 0, 3) !== 'ID3' || b.length < 10) return 0
  return 10 + (((b[6]! & 0x7f) << 21) | ((b[7]! & 0x7f) << 14) | ((b[8]! & 0x7f) << 7) | (b[9]! & 0x7f))
}

/** The next frame that another one follows, or the file's end. */
function nextSync(b: Buffer, from: number, walk: Steps): number {
  for (let at = b.indexOf(0xff, from); at >= 0 && at + 7 <= b.length; at = b.indexOf(0xff, at + 1)) {
    if (!step(walk)) return -1
    if (!isFrame(b, at)) continue
    const after = at + bytes
    if (after >= b.length - 7 || isFrame(b, after)) return at
  }
  return -1
}

function isFrame(b: Buffer, at: number): boolean {
  if (b[at] !== 0xff || (b[at + 1]! & 0xe0) !== 0xe0) return false
  return (b[at + 1]! & 0xf6) === 0xf0 ? adts(b, at) : mpeg(b, at)
}

function adts(b: Buffer, at: number): boolean {
  const rate = AAC_RATES[(b[at + 2]! >> 2) & 15]
  bytes = ((b[at + 3]! & 3) << 11) | (b[at + 4]! << 3) | (b[at + 5]! >> 5)
  if (rate === undefined || bytes < 7) return false
  seconds = (1_024 * ((b[at + 6]! & 3) + 1)) / rate
  return true
}

function mpeg(b: Buffer, at: number): boolean {
  const version = (b[at + 1]! >> 3) & 3
  const layer = 4 - ((b[at + 1]! >> 1) & 3)
  const rateIndex = (b[at + 2]! >> 2) & 3
  if (version === 1 || layer === 4 || rateIndex === 3) return false
  const isFirst = version === 3
  const kbit = (isFirst ? FIRST : SECOND)[layer - 1]![b[at + 2]! >> 4]
  if (kbit === undefined || kbit === 0) return false
  const rate = RATES[rateIndex]! / (isFirst ? 1 : version === 2 ? 2 : 4)
  const padding = (b[at + 2]! >> 1) & 1
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1_152
  bytes = layer === 1 ? Math.floor((12 * kbit * 1_000) / rate + padding) * 4 : Math.floor(((samples / 8) * kbit * 1_000) / rate) + padding
  seconds = samples / rate
  return true
}
