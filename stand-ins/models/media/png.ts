import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A real PNG of that size: bands of colour that follow from the text, so that two prompts can be told apart by eye. */
export function drawPng(text: string, width: number, height: number): Buffer {
  const hash = createHash('sha256').update(text).digest()
  const bands = 8
  const palette = Buffer.alloc(bands * 3)
  hash.copy(palette, 0, 0, bands * 3)
  // One byte a pixel, one filter byte a row.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.fill(Math.floor((y * bands) / height), y * (width + 1) + 1, (y + 1) * (width + 1))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(8)
  out.writeUInt32BE(data.length, 0)
  out.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)])
}
