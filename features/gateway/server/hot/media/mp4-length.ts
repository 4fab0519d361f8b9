import { isBudgetSpent, isPauseDue, takeStep } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'

interface Range {
  readonly from: number
  readonly to: number
}
type Visit = (name: string, box: Range) => void

/** Sample rates by the index in an AAC configuration. */
export const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
/** Samples that one packet decodes to, regardless of the file's time tables. */
const AAC_FRAME = 1_024
/** Maximum duration of an Opus packet; assumed for every codec whose packets are not read here. */
const MAX_PACKET_SECONDS = 0.12
const MPEG_FRAME = 1_152
const ALAC_FRAME = 4_096
/** An m4a never holds uncompressed audio: a file without images above 640 kbit/s states a false length. */
const MAX_BYTES_PER_SECOND = 80_000
/** A box is twice as slow as a table entry. 25 MB in fragments of a second each, at 32 kbit/s, are 44,000 boxes. */
const BOX_STEPS = 2
/** More than any recording has. */
const MAX_TRACKS = 64
const INTO = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'moof', 'traf'])
const READ = ['mvhd', 'mdat', 'trun', 'elst', 'mdhd', 'hdlr', 'stsd', 'stsz', 'stz2', 'stts']
/** Handlers by the four bytes of a name; other names are not decoded. */
const NAMES: ReadonlyMap<number, string> = new Map([...INTO, ...READ].map((name) => [Buffer.from(name).readUInt32BE(0), name]))

interface Track {
  scale: number
  longest: number
  packets: number
  codec: Range | undefined
  isSound: boolean
  isPicture: boolean
}

/**
 * Longest duration in the file: of its header, its tracks, their time tables, its edit lists, and its audio packets, which a decoder plays
 * in full. Undefined without audio in a known codec.
 */
export function* measureMp4(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  let scale = 0
  let longest = 0
  let edits = 0
  let media = 0
  let fragments = 0
  const tracks: Track[] = []
  const visit: Visit = (name, box) => {
    const track = tracks.at(-1)
    if (name === 'trak' && tracks.length === MAX_TRACKS) walk.left = -1
    else if (name === 'trak') tracks.push({ scale: 0, longest: 0, packets: 0, codec: undefined, isSound: false, isPicture: false })
    else if (name === 'mvhd') {
      const told = timeAt(b, box)
      scale = told.scale
      longest = Math.max(longest, told.duration)
    } else if (name === 'mdat') media += box.to - box.from
    else if (name === 'trun') fragments += u32(b, box.from + 4)
    else if (name === 'elst') edits = Math.max(edits, editsAt(b, box, walk))
    else if (track !== undefined) readTrack(b, track, name, box, walk)
  }
  if (!(yield* walkBoxes(b, { from: 0, to: b.length }, visit, walk)) || isBudgetSpent(walk)) return undefined
  const sounds = tracks.filter(({ isSound }) => isSound)
  if (sounds.length === 0) return undefined
  for (const track of sounds) {
    const packet = secondsOfPacket(b, track.codec)
    longest = Math.max(longest, track.longest, (track.packets + fragments) * (packet ?? MAX_PACKET_SECONDS))
  }
  if (scale > 0) longest = Math.max(longest, edits / scale)
  return tracks.some(({ isPicture }) => isPicture) ? longest : Math.max(longest, media / MAX_BYTES_PER_SECOND)
}

function readTrack(b: Buffer, track: Track, name: string, box: Range, walk: StepBudget): void {
  if (name === 'mdhd') {
    const told = timeAt(b, box)
    track.scale = told.scale
    track.longest = Math.max(track.longest, told.duration)
  } else if (name === 'hdlr') {
    const kind = b.toString('latin1', box.from + 8, box.from + 12)
    track.isSound = kind === 'soun'
    track.isPicture = kind === 'vide'
  } else if (name === 'stsd') track.codec = { from: box.from + 8, to: box.to }
  else if (name === 'stsz' || name === 'stz2') track.packets = Math.max(track.packets, u32(b, box.from + 8))
  else if (name === 'stts') {
    let total = 0
    const entries = Math.min(u32(b, box.from + 4), (box.to - box.from - 8) / 8)
    for (let i = 0; i < entries && takeStep(walk); i++) total += u32(b, box.from + 8 + i * 8) * u32(b, box.from + 12 + i * 8)
    if (track.scale > 0) track.longest = Math.max(track.longest, total / track.scale)
  }
}

/** False if the walk was abandoned. */
function* walkBoxes(b: Buffer, { from, to }: Range, visit: Visit, walk: StepBudget, depth = 0): SteppedWalk<boolean> {
  for (let at = from; at + 8 <= to;) {
    if (!takeStep(walk, BOX_STEPS)) return false
    if (isPauseDue(walk)) yield
    const size = b.readUInt32BE(at)
    const isWide = size === 1 && at + 16 <= to
    const length = size === 0 ? to - at : isWide ? Number(b.readBigUInt64BE(at + 8)) : size
    if (length < 8) return true
    const name = NAMES.get(b.readUInt32BE(at + 4))
    if (name !== undefined) {
      const box = { from: at + (isWide ? 16 : 8), to: Math.min(to, at + length) }
      visit(name, box)
      if (depth < 8 && INTO.has(name) && !(yield* walkBoxes(b, box, visit, walk, depth + 1))) return false
    }
    at += length
  }
  return true
}

const u32 = (b: Buffer, at: number): number => (at >= 0 && at + 4 <= b.length ? b.readUInt32BE(at) : 0)

function timeAt(b: Buffer, { from }: Range): { readonly scale: number; readonly duration: number } {
  const isWide = b[from] === 1
  const scale = u32(b, from + (isWide ? 20 : 12))
  const ticks = isWide ? u32(b, from + 24) * 2 ** 32 + u32(b, from + 28) : u32(b, from + 16)
  return { scale, duration: scale > 0 ? ticks / scale : 0 }
}

/** An edit list may play the same part many times. */
function editsAt(b: Buffer, { from, to }: Range, walk: StepBudget): number {
  const isWide = b[from] === 1
  const bytes = isWide ? 20 : 12
  let total = 0
  const entries = Math.min(u32(b, from + 4), (to - from - 8) / bytes)
  for (let i = 0; i < entries && takeStep(walk); i++) {
    const at = from + 8 + i * bytes
    const isEmpty = u32(b, at + (isWide ? 8 : 4)) === 0xffffffff
    if (!isEmpty) total += isWide ? u32(b, at) * 2 ** 32 + u32(b, at + 4) : u32(b, at)
  }
  return total
}

/** Duration of one packet, by the codec's configuration; undefined for unknown codecs. */
function secondsOfPacket(b: Buffer, codec: Range | undefined): number | undefined {
  if (codec === undefined || codec.from + 36 > b.length) return undefined
  const name = b.toString('latin1', codec.from + 4, codec.from + 8)
  const told = b.readUInt16BE(codec.from + 32)
  if (name === 'alac') return told > 0 ? ALAC_FRAME / told : undefined
  if (name !== 'mp4a') return undefined
  const esds = b.subarray(codec.from, codec.to).indexOf('esds')
  const config = esds < 0 ? undefined : configAt(b, codec.from + esds + 8, codec.to)
  const rate = config?.rate ?? told
  return rate > 0 ? (config?.isAac === false ? MPEG_FRAME : AAC_FRAME) / rate : undefined
}

/** The decoder's configuration within an `esds`: descriptors 3 (stream), 4 (decoder), 5 (its own). */
function configAt(b: Buffer, from: number, to: number): { readonly rate: number | undefined; readonly isAac: boolean } | undefined {
  let isAac = true
  for (let at = from; at + 2 < to;) {
    const tag = b[at++]!
    while (at < to && (b[at]! & 0x80) !== 0) at++
    at++
    if (tag === 3) at += 3
    else if (tag === 4) {
      isAac = b[at] === 0x40
      at += 13
    } else {
      if (tag !== 5 || at + 5 > b.length) return { rate: undefined, isAac }
      const index = ((b[at]! & 7) << 1) | (b[at + 1]! >> 7)
      const own = ((b[at + 1]! & 0x7f) << 17) | (b[at + 2]! << 9) | (b[at + 3]! << 1) | (b[at + 4]! >> 7)
      return { rate: index === 15 ? own : AAC_RATES[index], isAac }
    }
  }
  return undefined
}
