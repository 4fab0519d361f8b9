import { inflateSync } from 'node:zlib'

/** Font tables needed to draw a page. The typography tables are the bulk of a CJK font and would be parsed again for every document. */
const REQUIRED_TABLES = new Set(['cmap', 'glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post', 'prep', 'fpgm', 'cvt '])

/**
 * Unpacks a WOFF file (W3C WOFF 1.0) into a plain font. From WOFF, every document would inflate all tables again; from a plain font
 * it reads only the glyphs it shows.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * 20
    const [offset, packed, length] = [woff.readUInt32BE(entry + 4), woff.readUInt32BE(entry + 8), woff.readUInt32BE(entry + 12)]
    const raw = woff.subarray(offset, offset + packed)
    return { tag: woff.subarray(entry, entry + 4), checksum: woff.readUInt32BE(entry + 16), bytes: packed < length ? inflateSync(raw) : raw }
  }).filter(({ tag }) => REQUIRED_TABLES.has(tag.toString('latin1')))
  const count = tables.length
  const power = 2 ** Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  const pieces: Buffer[] = [head]
  let offset = head.length
  for (const [at, { tag, checksum, bytes }] of tables.entries()) {
    const entry = 12 + at * 16
    tag.copy(head, entry)
    head.writeUInt32BE(checksum, entry + 4)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(bytes.length, entry + 12)
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    pieces.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return Buffer.concat(pieces)
}
