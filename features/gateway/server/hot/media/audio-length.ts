import { measureFrames } from './audio-frames.ts'
import { measureFlac } from './flac-length.ts'
import { measureMp4 } from './mp4-length.ts'
import { measureOgg } from './ogg-length.ts'
import { takeStep, createStepBudget, walkToEnd } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'
import { measureWebm } from './webm-length.ts'

/**
 * Duration of an audio file in seconds: the longest according to its headers, timestamps and packets, because a header may lie and a
 * decoder plays what is there. Decodes nothing. `sample` is its beginning (or all of it), `total` its size in bytes. undefined if
 * the format is unknown, gives no duration, or would take too long to walk.
 */
export const measureAudioSeconds = (sample: Buffer, total: number): number | undefined => walkToEnd(walkAudio(sample, total))

/** The same, with pauses for other work of the event loop. */
export function* walkAudio(sample: Buffer, total: number): SteppedWalk<number | undefined> {
  const seconds = yield* measureByMagic(sample, total)
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < MAX_SECONDS ? seconds : undefined
}

/** Boxes, pages and blocks cost more than frames, and there are fewer: 25 MB of Opus at 64 kbit/s in WebM are 156,000 blocks. */
const MAX_PACKET_PAGES = 160_000
/** 25 MB of honest Ogg are some 6,000, each of up to 255 packets. */
const MAX_OGG_PAGES = 60_000
/** A WAV has a handful. */
const MAX_CHUNKS = 10_000
/** Bytes that look like a frame of FLAC and are none, until the last real one is found; packed sound has few. */
const MAX_FLAC_TRIES = 50_000
/** Two days: more is nonsense. */
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
/** Plausible bytes after the sound: texts and a picture. */
const TAIL_BYTES = 1_000_000

function wav(b: Buffer, total: number, walk: StepBudget): number | undefined {
  let rate = 0
  for (let at = 12; at + 8 <= b.length && takeStep(walk);) {
    const id = b.readUInt32BE(at)
    const size = b.readUInt32LE(at + 4)
    if (id === FORMAT && at + 24 <= b.length) rate = readBytesPerSecond(b, at + 8, size)
    if (id === DATA) {
      // Streamed files leave the size open; others may declare less than they hold, and decoders may still read to the end.
      const there = total - at - 8
      return rate > 0 ? (size === 0 || size > there || there - size > TAIL_BYTES ? there : size) / rate : undefined
    }
    at += 8 + size + (size & 1)
  }
  return undefined
}

/** From what is decoded, not from the byte rate that the head claims. 0 for formats that are not known. */
function readBytesPerSecond(b: Buffer, at: number, size: number): number {
  const told = b.readUInt16LE(at)
  const format = told === 0xfffe && size >= 26 && at + 26 <= b.length ? b.readUInt16LE(at + 24) : told
  const samples = b.readUInt16LE(at + 2) * b.readUInt32LE(at + 4)
  if (PCM.has(format)) return (samples * b.readUInt16LE(at + 14)) / 8
  return G711.has(format) ? samples : ADPCM.has(format) ? samples / 2 : 0
}
