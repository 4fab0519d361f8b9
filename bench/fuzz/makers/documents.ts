import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { FuzzRandom } from '../random.ts'
import { drawRepeatCount, repeatBytes, encodeLatin1 } from './maker.ts'
import type { FileMaker } from './maker.ts'

const MB = 1_000_000

function pdf(random: FuzzRandom): Buffer {
  const kids = random.pick([1, 3, 200, 30_000])
  const side = random.pick(['595 842', '99999 99999', '-1 0', '1 1', '0.001 20'])
  const content = random.pick([
    () => encodeLatin1('BT /F1 12 Tf (x) Tj ET'),
    () => repeatBytes(drawRepeatCount(random, 20, 2 * MB), encodeLatin1('0 0 m 500 500 l S q\n')),
    () => repeatBytes(drawRepeatCount(random, 12, 2 * MB), encodeLatin1('/X1 Do /X1 Do')),
    () => repeatBytes(drawRepeatCount(random, 6, 2 * MB), encodeLatin1('[[[[[[')),
  ])()
  const packed = deflateSync(random.once(2) ? repeatBytes(drawRepeatCount(random, 4, 20 * MB), encodeLatin1('0 0 ')) : content)
  const object = (number: number, body: Buffer | string): Buffer =>
    Buffer.concat([encodeLatin1(`${number} 0 obj\n`), typeof body === 'string' ? encodeLatin1(body) : body, encodeLatin1('\nendobj\n')])
  const stream = (dictionary: string, bytes: Buffer): Buffer =>
    Buffer.concat([encodeLatin1(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`), bytes, encodeLatin1('\nendstream')])
  const streams = Array.from({ length: random.pick([0, 1, 40]) }, (_, at) =>
    object(
      100 + at,
      stream(
        `/Type /ObjStm /N ${random.pick([1, 100_000])} /First 4 /Filter ${random.pick(['/FlateDecode', '[/FlateDecode /FlateDecode]', '/LZWDecode'])}`,
        packed,
      ),
    ),
  )
  return Buffer.concat([
    encodeLatin1('%PDF-1.7\n'),
    object(1, '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>'),
    object(2, `<< /Type /Pages /Kids [${random.once(5) ? '2 0 R ' : ''}${'3 0 R '.repeat(kids)}] /Count ${random.once(4) ? 99_999_999 : kids} >>`),
    object(3, `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side}] /Contents 4 0 R /Resources << /XObject << /X1 5 0 R >> >> >>`),
    object(4, random.once(2) ? stream('', content) : stream('/Filter /FlateDecode', deflateSync(content))),
    object(5, stream('/Type /XObject /Subtype /Form /BBox [0 0 600 600] /Resources << /XObject << /X1 5 0 R >> >>', encodeLatin1('/X1 Do /X1 Do'))),
    ...streams,
    encodeLatin1('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}

function png(random: FuzzRandom): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([encodeLatin1(name), data])
    const [head, end] = [Buffer.alloc(4), Buffer.alloc(4)]
    head.writeUInt32BE(data.length)
    end.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, end])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(random.pick([1, 600, 7_000, 30_000, 2_000_000, 0x7fffffff]), 0)
  header.writeUInt32BE(random.pick([1, 600, 7_000, 30_000, 400]), 4)
  header.set([random.pick([1, 8, 16]), random.pick([0, 2, 3, 6]), 0, 0, random.int(2)], 8)
  const packed = deflateSync(Buffer.alloc(random.pick([10, 200_000, 20 * MB])))
  const words = chunk('zTXt', Buffer.concat([encodeLatin1('a\0\0'), deflateSync(Buffer.alloc(random.pick([10, 5 * MB])))]))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    repeatBytes(random.pick([0, 1, 300]), words),
    repeatBytes(random.pick([1, 1, 200]), chunk('IDAT', packed)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function jpeg(random: FuzzRandom): Buffer {
  const segment = (mark: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([0xff, mark, (body.length + 2) >> 8, (body.length + 2) & 255]), body])
  const size = (): number[] =>
    random.pick([
      [0xff, 0xff],
      [0x1b, 0x58],
      [2, 0x58],
      [0, 1],
    ])
  const frame = segment(random.pick([0xc0, 0xc2]), Buffer.from([8, ...size(), ...size(), 1, 1, 0x11, 0]))
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.alloc(random.pick([2, 300]))])
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xe1, random.bytes(random.int(200))),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc4, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(15), Buffer.from([0])])),
    frame,
    repeatBytes(random.pick([1, 50, 5_000]), scan),
    Buffer.from('ffd9', 'hex'),
  ])
}

function makeOtherPicture(random: FuzzRandom): Buffer {
  const gif = Buffer.concat([encodeLatin1('GIF89a'), random.bytes(7), repeatBytes(drawRepeatCount(random, 20, 5 * MB), random.bytes(20))])
  const webp = Buffer.concat([
    encodeLatin1('RIFF\xff\xff\xff\x7fWEBPVP8X\x0a\0\0\0\x10\0\0\0'),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    repeatBytes(drawRepeatCount(random, 8, 5 * MB), encodeLatin1('ANMF\0\0\0\0')),
  ])
  const svg = encodeLatin1(`<svg xmlns="http://www.w3.org/2000/svg" width="9999999" height="9999999">${'<g>'.repeat(drawRepeatCount(random, 3, MB))}`)
  return random.pick([gif, webp, svg])
}

function zip(random: FuzzRandom): Buffer {
  const data = deflateRawSync(Buffer.alloc(random.pick([10, MB, 50 * MB])))
  const entries = random.pick([1, 50, 60_000])
  const local = Buffer.concat([encodeLatin1('PK\x03\x04'), Buffer.alloc(26), data])
  const entry = Buffer.alloc(46)
  entry.write('PK\x01\x02', 0, 'latin1')
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(random.pick([10, MB, 50 * MB, 0xffffffff]), 24)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries & 0xffff, 10)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, repeatBytes(entries, entry), end])
}

export const documentMakers: readonly FileMaker[] = [{ name: 'pdf', make: pdf }]
export const pictureMakers: readonly FileMaker[] = [
  { name: 'png', make: png },
  { name: 'jpeg', make: jpeg },
  { name: 'gif, webp, svg', make: makeOtherPicture },
]
export const archiveMakers: readonly FileMaker[] = [
  { name: 'zip', make: zip },
  { name: 'gzip', make: (random) => repeatBytes(random.pick([1, 1, 200]), gzipSync(Buffer.alloc(random.pick([100, MB, 100 * MB])))) },
]
