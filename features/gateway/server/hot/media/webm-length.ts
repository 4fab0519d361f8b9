import { readOpusMs } from './ogg-length.ts'
import { isPauseDue, takeStep } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'

/** Container elements: segment, information, tracks, a track, its audio, cluster, group of a block. */
const INTO = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe1, 0x1f43b675, 0xa0])
const SCALE = 0x2ad7b1,
  DURATION = 0x4489,
  TIME = 0xe7,
  BLOCK = 0xa1,
  SIMPLE_BLOCK = 0xa3,
  TRACK = 0xae,
  NUMBER = 0xd7,
  KIND = 0x83,
  CODEC = 0x86
const SOUND = 2
const VORBIS = Buffer.from('\x01vorbis')
/** Bytes at the start of the file that describe the codecs. */
const HEAD_BYTES = 65_536

/** Track element to be stored as a number or a text. */
const HEAD_STEPS = 16
/** A frame of 20 ms at 16 kbit/s has more bytes: a recording has few smaller ones, in its silence. They count twice. */
const SMALL_BLOCK = 40
/** More tracks than any recording has; a player takes the first of a number. */
const MAX_TRACKS = 64

interface Track {
  number: number
  kind: number
  codec: string
}

/** The longest of the duration, the last block's time and the decoded length of the audio packets. Undefined for unknown codecs. */
export function* measureWebm(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  let scale = 1_000_000
  let duration = 0
  let cluster = 0
  let last = 0
  let packets = 0
  const tracks: Track[] = []
  // Blocks find their track by number without a search: a hundred thousand of each would be ten billion steps.
  let numbered: ReadonlyMap<number, Track> | undefined
  const vorbis = vorbisMs(b)
  for (let at = 0; at < b.length;) {
    if (!takeStep(walk)) return undefined
    if (isPauseDue(walk)) yield
    const idBytes = Math.clz32(b[at]!) - 23
    const sizeAt = at + idBytes
    if (b[at] === 0 || idBytes > 4 || sizeAt >= b.length) break
    const id = b.readUIntBE(at, Math.min(idBytes, b.length - at))
    const sizeBytes = Math.clz32(b[sizeAt]!) - 23
    if (b[sizeAt] === 0 || sizeAt + sizeBytes > b.length) break
    const size = vint(b, sizeAt, sizeBytes)
    const from = sizeAt + sizeBytes
    if (id === TRACK) {
      if (tracks.length === MAX_TRACKS) return undefined
      tracks.push({ number: 0, kind: 0, codec: '' })
    }
    // Descend into containers; a recorder may leave their size open.
    if (INTO.has(id)) {
      at = from
      continue
    }
    const to = Math.min(b.length, from + size)
    if (id === SCALE) scale = uint(b, from, to)
    else if (id === DURATION) duration = Math.max(duration, to - from === 4 ? b.readFloatBE(from) : to - from === 8 ? b.readDoubleBE(from) : 0)
    else if (id === TIME) last = Math.max(last, (cluster = uint(b, from, to)))
    else if (id === NUMBER || id === KIND || id === CODEC) {
      if (!takeStep(walk, HEAD_STEPS)) return undefined
      readTrack(b, tracks.at(-1), id, from, to)
      numbered = undefined
    } else if ((id === SIMPLE_BLOCK || id === BLOCK) && to - from > 4) {
      if (to - from < SMALL_BLOCK) takeStep(walk)
      last = Math.max(last, cluster + b.readInt16BE(from + 1))
      packets += packetMs(b, from, (numbered ??= byNumber(tracks, walk)), vorbis)
    }
    at = from + size
  }
  const sounds = tracks.filter(({ kind }) => kind === SOUND)
  if (sounds.length === 0 || sounds.some(({ codec }) => codec !== 'A_OPUS' && codec !== 'A_VORBIS')) return undefined
  const longest = Math.max((duration * scale) / 1e9, (last * scale) / 1e9, packets / 1_000)
  return longest > 0 ? longest : undefined
}

function readTrack(b: Buffer, track: Track | undefined, id: number, from: number, to: number): void {
  if (track === undefined) return
  if (id === NUMBER) track.number = uint(b, from, to)
  else if (id === KIND) track.kind = uint(b, from, to)
  else track.codec = b.toString('latin1', from, Math.min(to, from + 40))
}

/** The first track of each number. */
function byNumber(tracks: readonly Track[], walk: StepBudget): ReadonlyMap<number, Track> {
  takeStep(walk, tracks.length)
  return new Map(tracks.toReversed().map((track) => [track.number, track]))
}

/** A block: its track, time and flags, then one packet or, laced, several. */
function packetMs(b: Buffer, from: number, tracks: ReadonlyMap<number, Track>, vorbis: number): number {
  const track = tracks.get(b[from]! & 0x7f)
  if (track?.kind !== SOUND) return 0
  const isLaced = (b[from + 3]! & 6) !== 0
  const count = isLaced ? (b[from + 4] ?? 0) + 1 : 1
  return count * (track.codec === 'A_OPUS' ? (isLaced ? 120 : readOpusMs(b, from + 4)) : vorbis)
}

/** A Vorbis packet; each one counts as a long block. */
function vorbisMs(b: Buffer): number {
  const at = b.subarray(0, HEAD_BYTES).indexOf(VORBIS)
  if (at < 0 || at + 29 > b.length) return 0
  const rate = b.readUInt32LE(at + 12)
  return rate > 0 ? (2 ** (b[at + 28]! >> 4) / 2 / rate) * 1_000 : 0
}

/** Removes the marker bit; all ones means that the size was left open. */
function vint(b: Buffer, at: number, bytes: number): number {
  let value = b[at]! & (0xff >> bytes)
  for (let i = 1; i < bytes; i++) value = value * 256 + b[at + i]!
  return value === 2 ** (7 * bytes) - 1 ? Infinity : value
}

function uint(b: Buffer, from: number, to: number): number {
  const bytes = Math.min(6, to - from)
  return bytes > 0 ? b.readUIntBE(to - bytes, bytes) : 0
}
