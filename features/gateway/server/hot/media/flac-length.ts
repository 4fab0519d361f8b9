import { isPauseDue, takeStep } from './steps.ts'
import type { StepBudget, SteppedWalk } from './steps.ts'

const BLOCKS = [0, 192, 576, 1_152, 2_304, 4_608, 0, 0, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768]

/** The longest of what the head says (20 bits of sample rate, 36 bits of samples) and where its last frame stands (RFC 9639, 9.1). */
export function* measureFlac(b: Buffer, walk: StepBudget): SteppedWalk<number | undefined> {
  if (b.length < 42) return undefined
  const rate = (b.readUInt16BE(18) << 4) | (b[20]! >> 4)
  const told = (b[21]! & 15) * 2 ** 32 + b.readUInt32BE(22)
  const last = yield* lastSample(b, walk)
  if (rate === 0 || last === undefined) return undefined
  const samples = Math.max(told, last)
  return samples > 0 ? samples / rate : undefined
}

/** The end of the last frame, in samples; undefined where no frame was found. */
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
  // The number is written as UTF-8 would write it, in up to seven bytes.
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
  // Frames are numbered where all have one length: that of the head.
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
