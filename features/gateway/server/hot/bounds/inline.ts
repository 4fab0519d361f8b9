import { measureAudioSeconds } from '../media/audio-length.ts'
import type { JsonMember } from '../json/scan.ts'
import type { InputBounds } from './bounds.ts'

/** Characters sufficient to read a recording's header; a multiple of four. */
const HEADER_CHARS = 8_192
/** The lowest bit rate of MPEG layer III, 8 kbit/s. */
const MP3_BYTES_PER_SECOND = 1_000

/** A picture counts as the vendor's documented maximum; its bytes are no text. */
export function addPicture(into: InputBounds, data?: JsonMember): void {
  into.media += into.picture
  if (data !== undefined) omit(into, data)
}

/** Marks a string of the body that is not text to the model. Its quotes remain. */
function omit(into: InputBounds, { start, end }: JsonMember): void {
  into.text -= end - start - 2
  into.omitted.push({ start: start + 1, end: end - 1 })
}

/** Adds content whose length only the vendor can determine. Its bytes in the body do not count as text. */
export function addUnknownContent(into: InputBounds): void {
  into.added = Infinity
}

/**
 * Adds recorded sound in base64, with the maximum that its header and bytes allow. Formats that compress silence to almost nothing
 * (FLAC, Opus, AAC) give no bound.
 */
export function addSound(into: InputBounds, body: Buffer, data: JsonMember, tokensASecond: number): void {
  const chars = data.end - data.start - 2
  const total = Math.ceil((chars * 3) / 4)
  const head = Buffer.from(body.toString('latin1', data.start + 1, Math.min(data.end - 1, data.start + 1 + HEADER_CHARS)), 'base64')
  const seconds = measureSample(head, total)
  if (seconds === undefined) return addUnknownContent(into)
  omit(into, data)
  into.media += Math.ceil(seconds * tokensASecond)
}

function measureSample(head: Buffer, total: number): number | undefined {
  const magic = head.toString('latin1', 0, 4)
  if (magic === 'RIFF') return measureAudioSeconds(head, total)
  const isMp3 = magic.startsWith('ID3') || (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2)
  return isMp3 ? total / MP3_BYTES_PER_SECOND : undefined
}
