import { AAC_RATES } from './mp4-length.ts'
import { isBudgetSpent, isPauseDue, takeStep } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'

/** MP3 and AAC (ADTS) are rows of frames; their lengths add up. Kilobits a second by version and layer. */
const MPEG1_BITRATES: readonly (readonly number[])[] = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
]
const MPEG2_BITRATES: readonly (readonly number[])[] = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const RATES = [44_100, 48_000, 32_000]

/**
 * Adds up the frames of the sample and scales to the whole. Undefined unless frames follow each other: random bytes that look like one frame are
 * no audio. Damage is passed over, however long it is: a decoder finds the next frame too.
 */
export function* measureFrames(b: Buffer, total: number, walk: StepBudget): SteppedWalk<number | undefined> {
  let at = afterTag(b)
  const from = at
  let sum = 0
  let frames = 0
  while (at + 7 <= b.length) {
    if (!takeStep(walk)) return undefined
    if (isPauseDue(walk)) yield
    const bytes = frameBytes(b, at)
    if (bytes > 0) {
      sum += frameSeconds(b, at)
      at += bytes
      frames++
      continue
    }
    // A tag, or damage.
    const next = yield* nextSync(b, at + 1, walk)
    // Audio behind damage too long to search is not silence: the length is unknown.
    if (isBudgetSpent(walk)) return undefined
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

/** A search and a look at two frames. */
const SEARCH = 3

/** The next frame that another one follows, or the file's end. */
function* nextSync(b: Buffer, from: number, walk: StepBudget): SteppedWalk<number> {
  for (let at = b.indexOf(0xff, from); at >= 0 && at + 7 <= b.length; at = b.indexOf(0xff, at + 1)) {
    if (!takeStep(walk, SEARCH)) return -1
    if (isPauseDue(walk)) yield
    const bytes = frameBytes(b, at)
    if (bytes === 0) continue
    const after = at + bytes
    if (after >= b.length - 7 || frameBytes(b, after) > 0) return at
  }
  return -1
}

/** How long the frame is that begins here, 0 where none does. Apart from its seconds: a fraction that is kept for the next look is an object a frame. */
function frameBytes(b: Buffer, at: number): number {
  if (b[at] !== 0xff || (b[at + 1]! & 0xe0) !== 0xe0) return 0
  return isAdts(b, at) ? adtsBytes(b, at) : mpegBytes(b, at)
}

const frameSeconds = (b: Buffer, at: number): number =>
  isAdts(b, at) ? (1_024 * ((b[at + 6]! & 3) + 1)) / adtsRate(b, at)! : mpegSamples(b, at) / mpegRate(b, at)

const isAdts = (b: Buffer, at: number): boolean => (b[at + 1]! & 0xf6) === 0xf0
const adtsRate = (b: Buffer, at: number): number | undefined => AAC_RATES[(b[at + 2]! >> 2) & 15]

function adtsBytes(b: Buffer, at: number): number {
  const bytes = ((b[at + 3]! & 3) << 11) | (b[at + 4]! << 3) | (b[at + 5]! >> 5)
  return adtsRate(b, at) === undefined || bytes < 7 ? 0 : bytes
}

/** 3: the first version, 2: the second, 0: the second at half its rates. */
const mpegVersion = (b: Buffer, at: number): number => (b[at + 1]! >> 3) & 3
const mpegLayer = (b: Buffer, at: number): number => 4 - ((b[at + 1]! >> 1) & 3)

function mpegRate(b: Buffer, at: number): number {
  const version = mpegVersion(b, at)
  return RATES[(b[at + 2]! >> 2) & 3]! / (version === 3 ? 1 : version === 2 ? 2 : 4)
}

function mpegSamples(b: Buffer, at: number): number {
  const layer = mpegLayer(b, at)
  return layer === 1 ? 384 : layer === 3 && mpegVersion(b, at) !== 3 ? 576 : 1_152
}

function mpegBytes(b: Buffer, at: number): number {
  const version = mpegVersion(b, at)
  const layer = mpegLayer(b, at)
  if (version === 1 || layer === 4 || ((b[at + 2]! >> 2) & 3) === 3) return 0
  const kbit = (version === 3 ? MPEG1_BITRATES : MPEG2_BITRATES)[layer - 1]![b[at + 2]! >> 4]
  if (kbit === undefined || kbit === 0) return 0
  const rate = mpegRate(b, at)
  const padding = (b[at + 2]! >> 1) & 1
  return layer === 1 ? Math.floor((12 * kbit * 1_000) / rate + padding) * 4 : Math.floor(((mpegSamples(b, at) / 8) * kbit * 1_000) / rate) + padding
}
