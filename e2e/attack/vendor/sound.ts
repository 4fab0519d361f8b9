/** Actual duration of a recording in seconds: as a decoder finds it, regardless of the first header. */
export function measureSoundSeconds(file: Buffer): number {
  const riff = file.indexOf('RIFF')
  if (riff === 0) {
    // Sample rate, channels and bytes per sample, which determine how a decoder reads the data.
    const rate = file.readUInt32LE(24) * file.readUInt16LE(22) * (file.readUInt16LE(34) / 8)
    const told = file.readUInt32LE(40)
    return Math.ceil((told === 0 || told > file.length - 44 ? file.length - 44 : told) / rate)
  }
  const mdhd = file.indexOf('mdhd')
  const stts = file.indexOf('stts')
  if (mdhd > 0 && stts > 0) {
    const scale = file.readUInt32BE(mdhd + 16)
    let ticks = 0
    for (let entry = 0; entry < file.readUInt32BE(stts + 8); entry++)
      ticks += file.readUInt32BE(stts + 12 + entry * 8) * file.readUInt32BE(stts + 16 + entry * 8)
    return Math.ceil(ticks / scale)
  }
  // MPEG 2.5 at 8 kbit/s: a thousand bytes per second.
  return Math.ceil(file.length / 1_000)
}

const box = (name: string, ...parts: Buffer[]): Buffer => {
  const inner = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inner.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, inner])
}
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

/** An m4a of `seconds` whose movie header declares one second. Silence at 8 kHz: a frame of 128 ms is six bytes. `codec`: mp4a, or Opus. */
export function buildLyingM4a(seconds: number, codec = 'mp4a'): Buffer {
  const frames = Math.ceil((seconds * 8_000) / 1_024)
  const mvhd = box('mvhd', numbers(0, 0, 0, 1_000, 1_000, 0x10000), Buffer.alloc(76))
  const mdhd = box('mdhd', numbers(0, 0, 0, 8_000, frames * 1_024, 0x55c40000))
  const hdlr = box('hdlr', numbers(0, 0), Buffer.from('soun'), Buffer.alloc(13))
  const entry = box(codec, numbers(0, 1, 0, 0, 0x10010, 0, 8_000 << 16))
  const stbl = box('stbl', box('stsd', numbers(0, 1), entry), box('stts', numbers(0, 1, frames, 1_024)), box('stsz', numbers(0, 6, frames)))
  const trak = box('trak', box('tkhd', numbers(7, 0, 0, 1, 0, 1_000), Buffer.alloc(60)), box('mdia', mdhd, hdlr, box('minf', stbl)))
  return Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42')), box('moov', mvhd, trak), box('mdat', Buffer.alloc(frames * 6, 0x21))])
}

/** A WAV of `seconds` at 8,000 bytes per second whose header declares a rate that makes it one second, with an open end. */
export function buildLyingWav(seconds: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(8_036, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(seconds * 8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(0xffffffff, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 8_000, 0x80)])
}

/** An MP3 of `seconds` at 8 kbit/s whose Xing header declares eight frames. */
export function buildLyingMp3(seconds: number): Buffer {
  // MPEG 2.5, layer III, 8 kbit/s, 8 kHz, mono: 72 bytes and 72 ms per frame.
  const frame = Buffer.alloc(72)
  frame.set([0xff, 0xe3, 0x18, 0xc0])
  const first = Buffer.from(frame)
  first.write('Xing', 13, 'latin1')
  first.writeUInt32BE(1, 17)
  first.writeUInt32BE(8, 21)
  return Buffer.concat([first, ...Array.from({ length: Math.ceil(seconds / 0.072) }, () => frame)])
}
