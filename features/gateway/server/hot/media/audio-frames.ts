/** MP3 and AAC (ADTS) are rows of frames; their lengths add up. */
interface Frame {
  readonly bytes: number
  readonly seconds: number
}

const KBIT: Readonly<Record<string, readonly number[]>> = {
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '2-3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
}
const MP3_RATES = [44_100, 48_000, 32_000]
const ADTS_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]

/**
 * Adds up the frames of the sample and scales to the whole. Undefined unless frames follow each other: random bytes
 * that look like one frame are no audio.
 */
export function framesLength(b: Buffer, total: number): number | undefined {
  let at = afterTag(b)
  const from = at
  let seconds = 0
  let frames = 0
  while (at + 7 <= b.length) {
    const frame = frameAt(b, at)
    if (frame === undefined) {
      // A tag at the end, or damage: the next frame is looked for nearby.
      const next = nextSync(b, at + 1)
      if (next < 0) break
      at = next
      continue
    }
    at += frame.bytes
    seconds += frame.seconds
    frames++
  }
  if (frames < 3) return undefined
  return b.length >= total ? seconds : (seconds * (total - from)) / Math.max(1, Math.min(at, b.length) - from)
}

/** ID3v2 at the beginning, cover pictures and all. */
function afterTag(b: Buffer): number {
  if (b.toString('latin1', 0, 3) !== 'ID3' || b.length < 10) return 0
  const size = (b[6]! << 21) | (b[7]! << 14) | (b[8]! << 7) | b[9]!
  return 10 + size
}

const NEAR = 4_096

function nextSync(b: Buffer, from: number): number {
  const end = Math.min(b.length - 7, from + NEAR)
  for (let at = from; at < end; at++) if (b[at] === 0xff && (b[at + 1]! & 0xe0) === 0xe0 && frameAt(b, at) !== undefined) return at
  return -1
}

function frameAt(b: Buffer, at: number): Frame | undefined {
  if (b[at] !== 0xff || (b[at + 1]! & 0xe0) !== 0xe0) return undefined
  return (b[at + 1]! & 0xf6) === 0xf0 ? adts(b, at) : mpeg(b, at)
}

function adts(b: Buffer, at: number): Frame | undefined {
  const rate = ADTS_RATES[(b[at + 2]! >> 2) & 15]
  const bytes = ((b[at + 3]! & 3) << 11) | (b[at + 4]! << 3) | (b[at + 5]! >> 5)
  return rate === undefined || bytes < 7 ? undefined : { bytes, seconds: (1_024 * ((b[at + 6]! & 3) + 1)) / rate }
}

function mpeg(b: Buffer, at: number): Frame | undefined {
  const version = (b[at + 1]! >> 3) & 3
  const layer = 4 - ((b[at + 1]! >> 1) & 3)
  const rateIndex = (b[at + 2]! >> 2) & 3
  if (version === 1 || layer === 4 || rateIndex === 3) return undefined
  const first = version === 3
  const table = KBIT[first ? `1-${layer}` : layer === 1 ? '2-1' : '2-3']!
  const kbit = table[b[at + 2]! >> 4]
  const rate = MP3_RATES[rateIndex]! / (first ? 1 : version === 2 ? 2 : 4)
  if (kbit === undefined || kbit === 0) return undefined
  const padding = (b[at + 2]! >> 1) & 1
  const samples = layer === 1 ? 384 : layer === 3 && !first ? 576 : 1_152
  const bytes = layer === 1 ? Math.floor((12 * kbit * 1_000) / rate + padding) * 4 : Math.floor(((samples / 8) * kbit * 1_000) / rate) + padding
  return { bytes, seconds: samples / rate }
}
