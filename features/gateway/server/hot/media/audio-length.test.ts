import { describe, expect, it } from 'vitest'
import { measureAudioSeconds } from './audio-length.ts'

const whole = (sound: Buffer): number | undefined => measureAudioSeconds(sound, sound.length)
const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(value)
  return out
}
const box = (name: string, data: Buffer): Buffer => Buffer.concat([u32(data.length + 8), Buffer.from(name), data])

function wav(seconds: number, dataSize?: number): Buffer {
  const out = Buffer.alloc(44 + seconds * 16_000)
  out.write('RIFF', 0)
  out.write('WAVEfmt ', 8)
  out.writeUInt32LE(16, 16)
  out.writeUInt16LE(1, 20)
  out.writeUInt16LE(1, 22)
  out.writeUInt32LE(8_000, 24)
  out.writeUInt32LE(4_000_000, 28)
  out.writeUInt16LE(16, 34)
  out.write('data', 36)
  out.writeUInt32LE(dataSize ?? seconds * 16_000, 40)
  return out
}
const mp3 = (frames: number): Buffer => {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
const adts = (frames: number): Buffer => {
  const frame = Buffer.alloc(200)
  frame.set([0xff, 0xf1, 0x50, 0x80, 200 >> 3, (200 & 7) << 5, 0xfc])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
/** Pages of one packet each, of 20 ms; the last one carries its position. */
const ogg = (granule: bigint, packets = 0): Buffer => {
  const page = (body: Buffer, position: bigint): Buffer => {
    const out = Buffer.alloc(28 + body.length)
    out.write('OggS', 0)
    out.writeBigInt64LE(position, 6)
    out[26] = 1
    out[27] = body.length
    body.copy(out, 28)
    return out
  }
  // Config 31 (20 ms, full band), one frame.
  const sound = Buffer.from([0xf8, 1, 2, 3])
  return Buffer.concat([
    page(Buffer.from('OpusHead padding'), 0n),
    page(Buffer.from('OpusTags'), 0n),
    ...Array.from({ length: packets }, () => page(sound, 0n)),
    page(Buffer.from('OpusTags'), granule),
  ])
}
const crc8 = (bytes: Buffer): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 7) & 255 : (crc << 1) & 255
  }
  return crc
}
const flac = (rate: number, samples: number, lastFrame = 20): Buffer => {
  const out = Buffer.alloc(42)
  out.write('fLaC', 0)
  out.writeUInt16BE(4_096, 8)
  out.writeUInt16BE(rate >> 4, 18)
  out[20] = (rate & 15) << 4
  out.writeUInt32BE(samples, 22)
  const number = lastFrame < 128 ? [lastFrame] : [0xc0 | (lastFrame >> 6), 0x80 | (lastFrame & 63)]
  const head = Buffer.from([0xff, 0xf8, 0xc9, 0x08, ...number])
  return Buffer.concat([out, Buffer.alloc(100, 3), head, Buffer.from([crc8(head)]), Buffer.alloc(100, 255)])
}
interface Mp4 {
  readonly movie?: number
  readonly media?: number
  readonly each?: number
  readonly packets?: number
  readonly edits?: readonly number[]
  readonly fragments?: readonly number[]
  readonly bytes?: number
  readonly codec?: string
}
/** An m4a with packets of 1,024 samples at 16,000 a second. */
const mp4 = ({ movie = 1_000, media = 0, each = 0, packets = 0, edits = [], fragments = [], bytes = 500, codec = 'mp4a' }: Mp4): Buffer => {
  const head = (scale: number, duration: number): Buffer => Buffer.concat([u32(0), u32(0), u32(0), u32(scale), u32(duration), Buffer.alloc(80)])
  const esds = box('esds', Buffer.from([0, 0, 0, 0, 3, 25, 0, 0, 0, 4, 17, 0x40, ...Buffer.alloc(12), 5, 2, 0x14, 0x08, 0, 0, 0]))
  const entry = Buffer.concat([Buffer.from(codec), Buffer.alloc(24), u32(16_000 << 16), esds])
  const stsd = box('stsd', Buffer.concat([u32(0), u32(1), u32(entry.length + 4), entry]))
  const stts = box('stts', Buffer.concat([u32(0), u32(1), u32(packets), u32(each)]))
  const stsz = box('stsz', Buffer.concat([u32(0), u32(100), u32(packets)]))
  const hdlr = box('hdlr', Buffer.concat([u32(0), u32(0), Buffer.from('soun'), Buffer.alloc(13)]))
  const mdia = box('mdia', Buffer.concat([box('mdhd', head(16_000, media)), hdlr, box('minf', box('stbl', Buffer.concat([stsd, stts, stsz])))]))
  const list = edits.map((length) => Buffer.concat([u32(length), u32(0), u32(0x10000)]))
  const edts = box('edts', box('elst', Buffer.concat([u32(0), u32(edits.length), ...list])))
  const trak = box('trak', Buffer.concat([edts, mdia]))
  const moofs = fragments.map((count) => box('moof', box('traf', box('trun', Buffer.concat([u32(0), u32(count), u32(0)])))))
  const moov = box('moov', Buffer.concat([box('mvhd', head(1_000, movie)), trak]))
  return Buffer.concat([box('ftyp', Buffer.from('M4A ....')), box('mdat', Buffer.alloc(bytes)), moov, ...moofs])
}
const many = (count: number, one: Buffer): Buffer => Buffer.alloc(count * one.length, one)
const element = (id: readonly number[], body: Buffer | readonly number[]): Buffer => {
  const bytes = Buffer.from(body)
  return Buffer.concat([Buffer.from(id), Buffer.from([0x40 | (bytes.length >> 8), bytes.length & 255]), bytes])
}
interface Webm {
  readonly duration?: number
  readonly time?: number
  readonly packets?: number
  readonly codec?: string
  /** More bytes in each packet. */
  readonly more?: number
}
const webm = ({ duration, time = 0, packets = 0, codec = 'A_OPUS', more = 0 }: Webm): Buffer => {
  const told = Buffer.alloc(8)
  told.writeDoubleBE(duration ?? 0)
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    [...element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40]), ...(duration === undefined ? [] : element([0x44, 0x89], told))],
  )
  const track = element([0xae], [...element([0xd7], [1]), ...element([0x83], [2]), ...element([0x86], Buffer.from(codec))])
  const blocks = Array.from({ length: packets }, () => element([0xa3], [0x81, 0, 0, 0, 0xf8, 1, 2, ...Array<number>(more).fill(0)]))
  // Recorders leave the sizes of segment and cluster open.
  const open = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  return Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, ...open]),
    info,
    element([0x16, 0x54, 0xae, 0x6b], track),
    Buffer.from([0x1f, 0x43, 0xb6, 0x75, ...open]),
    element([0xe7], [time >> 8, time & 255]),
    ...blocks,
  ])
}

describe('length of a sound', () => {
  it.each<[string, Buffer, number]>([
    ['wav, whatever byte rate it claims', wav(3), 3],
    ['wav that was streamed', wav(3, 0xffffffff), 3],
    ['wav that claims more than it has', wav(3, 1_000_000), 3],
    ['mp3', mp3(100), 2.612],
    ['mp3 behind a cover picture', Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 7, 104]), Buffer.alloc(1_000, 255), mp3(100)]), 2.612],
    ['aac', adts(100), 2.322],
    ['opus', ogg(96_000n), 2],
    ['flac', flac(44_100, 88_200), 2],
    ['m4a', mp4({ movie: 2_500, media: 39_936, each: 1_024, packets: 39 }), 2.5],
    ['webm', webm({ duration: 4_200, packets: 200 }), 4.2],
    ['webm of a recorder that left the duration out', webm({ time: 20_000, packets: 10 }), 20],
  ])('%s', (_, sound, seconds) => expect(whole(sound)).toBeCloseTo(seconds, 2))

  it.each<[string, Buffer, number]>([
    ['m4a: its head says a second', mp4({ packets: 1_000, each: 1_024, media: 1_024_000 }), 64],
    ['m4a: head and track say a second, the table of times does not', mp4({ packets: 1_000, each: 1_024, media: 16_000 }), 64],
    ['m4a: all tables say a second, the packets are played anyway', mp4({ packets: 1_000, each: 16, media: 16_000 }), 64],
    ['m4a: packets in fragments', mp4({ fragments: [500, 500] }), 64],
    ['m4a: an edit list that plays it a hundred times', mp4({ edits: Array.from({ length: 100 }, () => 1_000), packets: 15, each: 1_024 }), 100],
    ['m4a: packets of a codec that is not read are as long as any', mp4({ codec: 'Opus', packets: 1_000, each: 16, media: 16_000 }), 120],
    ['m4a: ten megabytes are no second', mp4({ bytes: 10_000_000 }), 125],
    ['ogg: the last page says a second', ogg(48_000n, 1_000), 20],
    ['flac: its head says a second', flac(16_000, 16_000, 999), 256],
    ['webm: its head says a second', webm({ duration: 1_000, packets: 500 }), 10],
    ['webm: its last cluster stands later than its head says', webm({ duration: 1_000, time: 60_000 }), 60],
    ['wav: the size says a tenth, the rest is there', wav(200, 160_000), 200],
    ['mp3: five kilobytes of anything between the frames', Buffer.concat([mp3(10), Buffer.alloc(5_000, 1), mp3(1_000)]), 26.4],
  ])('a lie: %s', (_, sound, seconds) => expect(whole(sound)!).toBeCloseTo(seconds, 0))

  it('a sound made to be slow is given up, whatever its head says', () => {
    const tiny = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 7 << 5, 0xfc])
    const boxes = Buffer.concat([box('ftyp', Buffer.from('M4A ....')), Buffer.alloc(4_000_000, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]))])
    const chunks = Buffer.concat([wav(1).subarray(0, 12), Buffer.alloc(4_000_000, Buffer.from([0x66, 0x72, 0x65, 0x65, 0, 0, 0, 0]))])
    for (const sound of [Buffer.alloc(4_000_000, tiny), boxes, chunks]) expect(whole(sound)).toBeUndefined()
  })

  it('a walk that is given up reports an unknown length, not the part it has seen', () => {
    const damage = Buffer.alloc(900_000, Buffer.from([0xff, 0]))
    expect(whole(Buffer.concat([mp3(10), damage, mp3(20_000)]))).toBeUndefined()
    const edits = Buffer.alloc(8 + 250_000 * 12)
    edits.writeUInt32BE(250_000, 4)
    expect(whole(Buffer.concat([mp4({ packets: 20, each: 1_024 }), box('moov', box('edts', box('elst', edits)))]))).toBeUndefined()
  })

  it('damage in which every second byte may be a frame is searched a third as far: each look costs as much as three frames', () => {
    const damaged = (looks: number): Buffer => Buffer.concat([mp3(10), Buffer.alloc(looks * 2, Buffer.from([0xff, 0])), mp3(1_000)])
    expect(whole(damaged(100_000))).toBeCloseTo(26.4, 0)
    expect(whole(damaged(150_000))).toBeUndefined()
  })

  it('a codec that is not known has no length here: the most it can be is billed', () => {
    expect(whole(webm({ duration: 1_000, codec: 'A_AAC', packets: 5 }))).toBeUndefined()
    expect(whole(Buffer.from(ogg(48_000n).toString('latin1').replace('OpusHead', 'Speex   '), 'latin1'))).toBeUndefined()
  })

  it('a sample of an answer gives the length of the whole', () => {
    const sound = mp3(1_000)
    expect(measureAudioSeconds(sound.subarray(0, 30_000), sound.length)).toBeCloseTo(26.12, 1)
    expect(measureAudioSeconds(wav(20).subarray(0, 1_000), wav(20).length)).toBeCloseTo(20)
  })

  it.each([
    [
      'webm of a hundred thousand tracks',
      () => Buffer.concat([webm({ duration: 1_000, packets: 3 }), many(100_000, element([0xae], [])), many(50_000, element([0xa3], [0x81, 0, 0, 0, 0]))]),
    ],
    ['mp4 of a hundred thousand tracks', () => Buffer.concat([mp4({ packets: 20, each: 1_024 }), box('moov', many(100_000, box('trak', Buffer.alloc(0))))])],
    ['ogg with megabytes between its pages that begin like one', () => Buffer.concat([ogg(48_000n), Buffer.alloc(8_000_000, 'O')])],
    ['ogg with a page for every 28 bytes', () => Buffer.concat([ogg(48_000n), many(200_000, Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24)]))])],
    ['wav of a million empty chunks', () => Buffer.concat([wav(1).subarray(0, 12), Buffer.alloc(8_000_000)])],
  ])('a file that is made to be walked for seconds has no length, and the most it can be is billed: %s', (_, make) => {
    expect(whole(make())).toBeUndefined()
  })

  it('an honest file of the largest size is walked to its end', () => {
    expect(whole(webm({ duration: 1_000, packets: 150_000, more: 100 }))).toBeCloseTo(3_000)
    expect(whole(Buffer.concat([ogg(48_000n), Buffer.alloc(60_000, 7)]))).toBeCloseTo(1)
  })

  it('nonsense has no length, and nothing throws', () => {
    const seeds = [wav(1), mp3(20), adts(20), ogg(48_000n), flac(8_000, 8_000), mp4({ packets: 20, each: 1_024 }), webm({ duration: 1_000, packets: 3 })]
    for (const seed of seeds)
      for (let at = 0; at < 64; at++) {
        const bent = Buffer.from(seed)
        bent[at % bent.length] = 255
        expect(() => whole(bent)).not.toThrow()
        expect(() => whole(seed.subarray(0, at))).not.toThrow()
      }
    expect(whole(Buffer.alloc(5_000, 65))).toBeUndefined()
    expect(whole(Buffer.alloc(0))).toBeUndefined()
    expect(whole(flac(0, 100))).toBeUndefined()
    expect(whole(ogg(-1n))).toBeUndefined()
  })
})
