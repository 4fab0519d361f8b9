import type { FuzzRandom } from '../random.ts'
import { drawRepeatCount, repeatBytes, encodeLatin1 } from './maker.ts'
import type { FileMaker } from './maker.ts'

const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(value >>> 0)
  return out
}
const box = (name: string, ...inside: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([u32(body.length + 8), encodeLatin1(name), body])
}

function wav(random: FuzzRandom): Buffer {
  const format = encodeLatin1('fmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0')
  const chunk = Buffer.concat([
    encodeLatin1(random.pick(['LIST', 'junk', 'fmt ', 'data'])),
    Buffer.alloc(4, random.pick([0, 0, 1, 255])),
    random.bytes(random.int(9)),
  ])
  return Buffer.concat([
    encodeLatin1('RIFF\xff\xff\xff\xffWAVE'),
    random.once(2) ? format : encodeLatin1(''),
    repeatBytes(drawRepeatCount(random, chunk.length), chunk),
    encodeLatin1('data\xff\xff\xff\xff'),
    repeatBytes(random.int(9_000), encodeLatin1('ab')),
  ])
}

function makeMpegFrames(random: FuzzRandom): Buffer {
  const mpeg = Buffer.concat([
    Buffer.from([0xff, random.pick([0xfb, 0xf3, 0xe3, 0xff, 0xfd]), random.pick([0x10, 0x14, 0x90, 0xe0, 0xf0]), 0]),
    Buffer.alloc(random.pick([20, 22, 68, 413])),
  ])
  const adts = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, random.pick([0xe0, 0xff]), 0xfc]), Buffer.alloc(random.int(300))])
  const frame = random.once(2) ? mpeg : adts
  const damage = repeatBytes(drawRepeatCount(random, 2, 4_000_000), Buffer.from([0xff, random.pick([0xfb, 0xff, 0xf1, 0])]))
  const tag = Buffer.concat([encodeLatin1('ID3\x04\0\0'), Buffer.from([0, random.int(128), random.int(128), random.int(128)])])
  return Buffer.concat([
    random.once(3) ? tag : encodeLatin1(''),
    repeatBytes(drawRepeatCount(random, frame.length), frame),
    random.once(2) ? damage : encodeLatin1(''),
    repeatBytes(drawRepeatCount(random, frame.length, 2_000_000), frame),
  ])
}

function flac(random: FuzzRandom): Buffer {
  const head = Buffer.concat([encodeLatin1('fLaC'), random.bytes(38)])
  const look = Buffer.from(
    [0xff, random.pick([0xf8, 0xf9]), random.int(256), 0, random.pick([0xfe, 0xfd, 0x20]), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1].slice(0, 2 + random.int(11)),
  )
  return Buffer.concat([head, repeatBytes(drawRepeatCount(random, look.length), look)])
}

function ogg(random: FuzzRandom): Buffer {
  const first = Buffer.concat([
    encodeLatin1('OggS'),
    Buffer.alloc(22),
    Buffer.from([1, 19]),
    encodeLatin1(random.pick(['OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', '\x01vorbis\0\0\0\0\x01\x44\xac\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xb8'])),
  ])
  const laces = random.pick([0, 1, 2, 255])
  const page = Buffer.concat([
    encodeLatin1('OggS'),
    Buffer.from([0, random.int(2)]),
    random.bytes(20),
    Buffer.from([laces]),
    Buffer.alloc(laces, random.pick([0, 1, 255])),
    Buffer.alloc(random.pick([0, 1, laces])),
  ])
  const junk = repeatBytes(drawRepeatCount(random, 4), encodeLatin1(random.pick(['OOOO', 'OggT', 'Oggs', '\0\0\0\0'])))
  return Buffer.concat([first, ...(random.once(2) ? [junk] : []), repeatBytes(drawRepeatCount(random, page.length), page), ...(random.once(3) ? [junk] : [])])
}

function mp4(random: FuzzRandom): Buffer {
  const sound = box(
    'mdia',
    box('mdhd', Buffer.alloc(24, 1)),
    box('hdlr', encodeLatin1(`\0\0\0\0\0\0\0\0${random.pick(['soun', 'vide'])}`)),
    box(
      'stbl',
      box('stsd', u32(0), u32(1), box('mp4a', Buffer.alloc(28), box('esds', random.bytes(30)))),
      box('stts', u32(0), u32(0xffffffff), random.bytes(64)),
    ),
  )
  const inside = random.pick([
    box('trak'),
    box('trak', sound),
    box('free'),
    box('trak', box('edts', box('elst', u32(0), u32(0xffffffff), Buffer.alloc(24, 1)))),
    box('moof', box('traf', box('trun', random.bytes(12)))),
  ])
  let nested = repeatBytes(drawRepeatCount(random, inside.length), inside)
  for (let depth = random.int(10); depth > 0; depth--) nested = box(random.pick(['moov', 'trak', 'mdia', 'minf', 'stbl']), nested)
  const table = box(random.pick(['stts', 'elst']), u32(0), u32(0xffffff), repeatBytes(drawRepeatCount(random, 8), Buffer.alloc(8, 1)))
  return Buffer.concat([
    box('ftyp', encodeLatin1('M4A ....')),
    box('moov', box('mvhd', Buffer.alloc(96, 1)), box('trak', sound, table)),
    nested,
    box('mdat', Buffer.alloc(random.int(5_000))),
  ])
}

function webm(random: FuzzRandom): Buffer {
  const element = (id: readonly number[], body: Buffer): Buffer =>
    Buffer.concat([Buffer.from(id), Buffer.from([0x40 | (body.length >> 8), body.length & 255]), body])
  const track = element(
    [0xae],
    Buffer.concat([
      element([0xd7], Buffer.from([1 + random.int(3)])),
      element([0x83], Buffer.from([2])),
      element([0x86], encodeLatin1(random.pick(['A_OPUS', 'A_VORBIS', 'A_AAC', 'A'.repeat(40)]))),
    ]),
  )
  const empty = Buffer.from([0xae, 0x80])
  const block = element(
    [random.pick([0xa3, 0xa1])],
    Buffer.concat([Buffer.from([0x81 + random.int(3), 0, 0, random.pick([0, 6]), 255]), random.bytes(random.int(5))]),
  )
  const number = element([0xd7], Buffer.from([random.int(128)]))
  const pieces = [
    track,
    empty,
    block,
    number,
    Buffer.from([0xec, 0x80]),
    Buffer.concat([number, block]),
    element([0xe7], random.bytes(4)),
    Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0x01, 255, 255, 255, 255, 255, 255, 255]),
  ]
  const rest = Array.from({ length: 1 + random.int(4) }, () => {
    const piece = random.pick(pieces)
    return repeatBytes(drawRepeatCount(random, piece.length, 6_000_000), piece)
  })
  return Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]),
    random.once(2) ? encodeLatin1('\x01vorbis') : encodeLatin1(''),
    ...rest,
  ])
}

export const soundMakers: readonly FileMaker[] = [
  { name: 'wav', make: wav },
  { name: 'mp3 and aac', make: makeMpegFrames },
  { name: 'flac', make: flac },
  { name: 'ogg', make: ogg },
  { name: 'mp4', make: mp4 },
  { name: 'webm', make: webm },
]
