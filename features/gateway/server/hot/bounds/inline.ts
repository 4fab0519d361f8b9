import { audioSeconds } from '../media/audio-length.ts'
import type { Member } from '../json/scan.ts'
import type { Bounds } from './bounds.ts'

/** Enough of a recording to read its header; a multiple of four characters. */
const HEADER_CHARS = 8_192
/** The lowest bit rate of MPEG layer III, 8 kbit/s. */
const MP3_BYTES_A_SECOND = 1_000

/** A picture counts as the vendor's documented maximum; its bytes are no text. */
export function picture(into: Bounds, data?: Member): void {
  into.media += into.picture
  if (data !== undefined) omit(into, data)
}

/** A text of the body that is no text to the model. Its quotes stay. */
function omit(into: Bounds, { start, end }: Member): void {
  into.text -= end - start - 2
  into.omitted.push({ start: start + 1, end: end - 1 })
}

/** Adds content whose length only the vendor can determine. Its bytes in the body do not count as text. */
export function unknown(into: Bounds): void {
  into.added = Infinity
}

/**
 * Adds recorded sound in base64, with the maximum that its header and bytes allow. Formats that compress silence to almost nothing
 * (FLAC, Opus, AAC) give no bound.
 */
export function sound(into: Bounds, body: Buffer, data: Member, tokensASecond: number): void {
  const chars = data.end - data.start - 2
  const total = Math.ceil((chars * 3) / 4)
  const head = Buffer.from(body.toString('latin1', data.start + 1, Math.min(data.end - 1, data.start + 1 + HEADER_CHARS)), 'base64')
  const seconds = secondsOf(head, total)
  if (seconds === undefined) return unknown(into)
  omit(into, data)
  into.media += Math.ceil(seconds * tokensASecond)
}

function secondsOf(head: Buffer, total: number): number | undefined {
  const magic = head.toString('latin1', 0, 4)
  if (magic === 'RIFF') return audioSeconds(head, total)
  const isMp3 = magic.startsWith('ID3') || (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2)
  return isMp3 ? total / MP3_BYTES_A_SECOND : undefined
}
