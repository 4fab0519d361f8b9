import { framesLength } from './audio-frames.ts'

/**
 * How long a piece of audio is, from its own headers and frames; nothing is decoded. `sample` is its beginning (or all of
 * it), `total` its whole size in bytes. Undefined where the format is not known or does not tell.
 */
export function audioSeconds(sample: Buffer, total: number): number | undefined {
  const seconds = read(sample, total)
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < MOST_SECONDS ? seconds : undefined
}

/** Two days: more is nonsense. */
const MOST_SECONDS = 172_800

function read(b: Buffer, total: number): number | undefined {
  if (b.length < 16) return undefined
  const magic = b.toString('latin1', 0, 4)
  if (magic === 'RIFF' && b.toString('latin1', 8, 12) === 'WAVE') return wav(b, total)
  if (magic === 'fLaC') return flac(b)
  if (magic === 'OggS') return ogg(b)
  if (b.toString('latin1', 4, 8) === 'ftyp') return mp4(b)
  if (b.readUInt32BE(0) === 0x1a45dfa3) return webm(b)
  return framesLength(b, total)
}

const PCM = new Set([1, 3, 0xfffe])

function wav(b: Buffer, total: number): number | undefined {
  let rate = 0
  for (let at = 12; at + 8 <= b.length;) {
    const id = b.toString('latin1', at, at + 4)
    const size = b.readUInt32LE(at + 4)
    if (id === 'fmt ' && at + 24 <= b.length) {
      // A header may lie about its byte rate; what is decoded follows from the rest.
      const plain = PCM.has(b.readUInt16LE(at + 8))
      rate = plain ? (b.readUInt16LE(at + 10) * b.readUInt32LE(at + 12) * b.readUInt16LE(at + 22)) / 8 : b.readUInt32LE(at + 16)
    }
    // Streamed files leave the size open.
    if (id === 'data') return rate > 0 ? Math.min(size === 0 || size >= 0x7fffffff ? Infinity : size, total - at - 8) / rate : undefined
    at += 8 + size + (size & 1)
  }
  return undefined
}

/** STREAMINFO: 20 bits of sample rate, 36 bits of samples. */
function flac(b: Buffer): number | undefined {
  if (b.length < 26) return undefined
  const rate = (b.readUInt16BE(18) << 4) | (b[20]! >> 4)
  const samples = (b[21]! & 15) * 2 ** 32 + b.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : undefined
}

/** The last page's position, in samples of the codec's rate. */
function ogg(b: Buffer): number | undefined {
  const codec = b.toString('latin1', 0, Math.min(b.length, 64))
  const vorbis = codec.indexOf('\x01vorbis')
  const rate = codec.includes('OpusHead') ? 48_000 : vorbis >= 0 && b.length >= vorbis + 16 ? b.readUInt32LE(vorbis + 12) : 0
  const page = b.lastIndexOf('OggS')
  if (rate === 0 || page <= 0 || page + 14 > b.length) return undefined
  return Number(b.readBigInt64LE(page + 6)) / rate
}

/** moov/mvhd: timescale and duration. The box may stand at the end. */
function mp4(b: Buffer): number | undefined {
  const moov = boxAt(b, 'moov', 0, b.length)
  const mvhd = moov && boxAt(b, 'mvhd', moov.from, moov.to)
  if (mvhd === undefined || mvhd.from + 32 > b.length) return undefined
  const at = mvhd.from
  const wide = b[at] === 1
  const scale = b.readUInt32BE(at + (wide ? 20 : 12))
  const duration = wide ? Number(b.readBigUInt64BE(at + 24)) : b.readUInt32BE(at + 16)
  return scale > 0 ? duration / scale : undefined
}

function boxAt(b: Buffer, name: string, from: number, to: number): { from: number; to: number } | undefined {
  for (let at = from; at + 8 <= to;) {
    const size = b.readUInt32BE(at)
    const wide = size === 1 && at + 16 <= to
    const length = wide ? Number(b.readBigUInt64BE(at + 8)) : size
    if (length < 8) return undefined
    if (b.toString('latin1', at + 4, at + 8) === name) return { from: at + (wide ? 16 : 8), to: Math.min(to, at + length) }
    at += length
  }
  return undefined
}

const INFO_SCALE = Buffer.from([0x2a, 0xd7, 0xb1]),
  INFO_DURATION = Buffer.from([0x44, 0x89]),
  CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75])

/** Segment information; recorders in browsers leave the duration out, then the last cluster's time is near enough. */
function webm(b: Buffer): number | undefined {
  const head = b.subarray(0, 4_096)
  const scaleAt = head.indexOf(INFO_SCALE)
  const scale = (scaleAt < 0 ? undefined : uint(b, scaleAt + 3)) ?? 1_000_000
  const at = head.indexOf(INFO_DURATION)
  if (at >= 0 && b[at + 2] === 0x84 && at + 7 <= b.length) return (b.readFloatBE(at + 3) * scale) / 1e9
  if (at >= 0 && b[at + 2] === 0x88 && at + 11 <= b.length) return (b.readDoubleBE(at + 3) * scale) / 1e9
  const cluster = b.lastIndexOf(CLUSTER)
  const time = cluster < 0 ? -1 : b.subarray(cluster, cluster + 32).indexOf(0xe7)
  const last = time < 0 ? undefined : uint(b, cluster + time + 1)
  return last === undefined ? undefined : (last * scale) / 1e9 + CLUSTER_SECONDS
}

/** Browsers begin a cluster at least this often. */
const CLUSTER_SECONDS = 10

/** An unsigned EBML integer with its length of one byte (0x81 to 0x86). */
function uint(b: Buffer, at: number): number | undefined {
  const length = (b[at] ?? 0) & 0x7f
  return b[at]! > 0x80 && length <= 6 && at + 1 + length <= b.length ? b.readUIntBE(at + 1, length) : undefined
}
