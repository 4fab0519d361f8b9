import { measureMp4, AAC_RATES } from './mp4-length.ts'
import { measureOgg } from './ogg-length.ts'
import { takeStep, createStepBudget, walkToEnd, isPauseDue, isBudgetSpent } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'
import { measureWebm } from './webm-length.ts'

/** MP3 and AAC (ADTS) are sequences of frames whose lengths add up. Kilobits per second by version and layer. */
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
 * Adds up the frames of the sample and scales to the whole. Undefined unless frames follow each other: random bytes that look like one
 * frame are not audio. Damage of any length is skipped, because a decoder also finds the next frame.
 */
function* measureFrames(b: Buffer, total: number, walk: StepBudget): SteppedWalk<number | undefined> {
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

/** ID3v2 at the beginning, including cover images. */
function afterTag(b: Buffer): number {
  if (b.toString('latin1', 0, 3) !== 'ID3' || b.length < 10) return 0
  return 10 + (((b[6]! & 0x7f) << 21) | ((b[7]! & 0x7f) << 14) | ((b[8]! & 0x7f) << 7) | (b[9]! & 0x7f))
}

/** A search and a look at two frames. */
const SEARCH = 3

/** The next frame that is followed by another one, or the file's end. */
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

/**
 * Length of the frame that begins here; 0 if none does. Separate from its seconds: keeping a fraction for the next check would allocate an
 * object per frame.
 */
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

const BLOCKS = [0, 192, 576, 1_152, 2_304, 4_608, 0, 0, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768]

/** The longer of the header's length (20 bits of sample rate, 36 bits of samples) and the position of the last frame (RFC 9639, 9.1). */
function* measureFlac(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  if (b.length < 42) return undefined
  const rate = (b.readUInt16BE(18) << 4) | (b[20]! >> 4)
  const told = (b[21]! & 15) * 2 ** 32 + b.readUInt32BE(22)
  const last = yield* lastSample(b, walk)
  if (rate === 0 || last === undefined) return undefined
  const samples = Math.max(told, last)
  return samples > 0 ? samples / rate : undefined
}

/** End of the last frame, in samples; undefined if no frame was found. */
function* lastSample(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  let at = b.length - 6
  while (at >= 0 && takeStep(walk)) {
    if (isPauseDue(walk)) yield
    at = b.lastIndexOf(0xff, at)
    if (at < 42) break
    const end = (b[at + 1]! & 0xfe) === 0xf8 ? frameEnd(b, at) : undefined
    if (end !== undefined) return end
    at--
  }
  return undefined
}

function frameEnd(b: Buffer, at: number): number | undefined {
  const blockCode = b[at + 2]! >> 4
  const rateCode = b[at + 2]! & 15
  let next = at + 4
  // The number is encoded like UTF-8, in up to seven bytes.
  const first = b[next++] ?? 0xff
  const more = first < 0x80 ? 0 : Math.clz32(~first << 24) - 1
  if (first === 0xff || (first >= 0x80 && more < 1)) return undefined
  let number = first < 0x80 ? first : first & (0x3f >> more)
  for (let i = 0; i < more; i++) number = number * 64 + (b[next++]! & 0x3f)
  let block = BLOCKS[blockCode]!
  if (blockCode === 6) block = b[next++]! + 1
  else if (blockCode === 7) {
    block = ((b[next]! << 8) | b[next + 1]!) + 1
    next += 2
  }
  next += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  if (block === 0 || rateCode === 15 || next >= b.length || crc8(b, at, next) !== b[next]) return undefined
  const isVariable = (b[at + 1]! & 1) === 1
  // If all frames have the same length, they are numbered, and the header gives the length.
  return isVariable ? number + block : (number + 1) * Math.max(block, b.readUInt16BE(8))
}

function crc8(b: Buffer, from: number, to: number): number {
  let crc = 0
  for (let i = from; i < to; i++) {
    crc ^= b[i]!
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80) === 0 ? (crc << 1) & 0xff : ((crc << 1) ^ 0x07) & 0xff
  }
  return crc
}

/**
 * Duration of an audio file in seconds: the longest according to its headers, timestamps and packets, because a header may lie and a
 * decoder plays what is there. Decodes nothing. `sample` is its beginning (or all of it), `total` its size in bytes. undefined if
 * the format is unknown, gives no duration, or would take too long to walk.
 */
export const measureAudioSeconds = (sample: Buffer, total: number): number | undefined => walkToEnd(walkAudio(sample, total))

/** Likewise, with pauses for other work of the event loop. */
export function* walkAudio(sample: Buffer, total: number): SteppedWalk<number | undefined> {
  const seconds = yield* measureByMagic(sample, total)
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < MAX_SECONDS ? seconds : undefined
}

/** Boxes, pages and blocks are slower to read than frames, but fewer: 25 MB of Opus at 64 kbit/s in WebM are 156,000 blocks. */
const MAX_PACKET_PAGES = 160_000
/** 25 MB of valid Ogg have about 6,000 pages, each of up to 255 packets. */
const MAX_OGG_PAGES = 60_000
/** A WAV has only a few. */
const MAX_CHUNKS = 10_000
/** Bytes that look like a FLAC frame but are not, until the last real one is found; compressed audio has few of them. */
const MAX_FLAC_TRIES = 50_000
/** Two days: a longer duration is invalid. */
const MAX_SECONDS = 172_800

function* measureByMagic(b: Buffer, total: number): SteppedWalk<number | undefined> {
  if (b.length < 16) return undefined
  const magic = b.toString('latin1', 0, 4)
  if (magic === 'RIFF' && b.toString('latin1', 8, 12) === 'WAVE') return wav(b, total, createStepBudget(MAX_CHUNKS))
  if (magic === 'fLaC') return yield* measureFlac(b, createStepBudget(MAX_FLAC_TRIES))
  if (magic === 'OggS') return yield* measureOgg(b, createStepBudget(MAX_OGG_PAGES))
  if (b.toString('latin1', 4, 8) === 'ftyp') return yield* measureMp4(b, createStepBudget(MAX_PACKET_PAGES))
  if (b.readUInt32BE(0) === 0x1a45dfa3) return yield* measureWebm(b, createStepBudget(MAX_PACKET_PAGES))
  return yield* measureFrames(b, total, createStepBudget())
}

/** `fmt ` and `data`. */
const FORMAT = 0x666d7420
const DATA = 0x64617461
const PCM = new Set([1, 3])
const G711 = new Set([6, 7])
const ADPCM = new Set([2, 17])
/** Plausible bytes after the audio: texts and an image. */
const TAIL_BYTES = 1_000_000

function wav(b: Buffer, total: number, walk: StepBudget): number | undefined {
  let rate = 0
  for (let at = 12; at + 8 <= b.length && takeStep(walk);) {
    const id = b.readUInt32BE(at)
    const size = b.readUInt32LE(at + 4)
    if (id === FORMAT && at + 24 <= b.length) rate = readBytesPerSecond(b, at + 8, size)
    if (id === DATA) {
      // Streamed files leave the size open; others may declare less than their content, and decoders may still read to the end.
      const there = total - at - 8
      return rate > 0 ? (size === 0 || size > there || there - size > TAIL_BYTES ? there : size) / rate : undefined
    }
    at += 8 + size + (size & 1)
  }
  return undefined
}

/** Calculated from the decoded format, not from the header's byte rate. 0 for unknown formats. */
function readBytesPerSecond(b: Buffer, at: number, size: number): number {
  const told = b.readUInt16LE(at)
  const format = told === 0xfffe && size >= 26 && at + 26 <= b.length ? b.readUInt16LE(at + 24) : told
  const samples = b.readUInt16LE(at + 2) * b.readUInt32LE(at + 4)
  if (PCM.has(format)) return (samples * b.readUInt16LE(at + 14)) / 8
  return G711.has(format) ? samples : ADPCM.has(format) ? samples / 2 : 0
}
