import type { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { cutChunk, createFrameCutter } from './cut.ts'

const MOST = 16 * 1024 * 1024
/** Missing from the types of `ws`. */
const Receiver = Reflect.get(ws, 'Receiver') as new (options: object) => Writable

let seed = 5
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % below
}

/** A client's frame, masked. */
function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length > 65_535 ? 10 : length > 125 ? 4 : 2)
  head[0] = opcode | (isLast ? 0x80 : 0)
  head[1] = 0x80 | (length > 65_535 ? 127 : length > 125 ? 126 : length)
  if (length > 65_535) head.writeBigUInt64BE(BigInt(length), 2)
  else if (length > 125) head.writeUInt16BE(length, 2)
  const mask = Buffer.from([random(256), random(256), random(256), random(256)])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)])
}

/** Messages that `ws` reads from a stream, cut or unchanged. */
async function read(pieces: readonly Buffer[]): Promise<string[]> {
  const receiver = new Receiver({ isServer: true, maxPayload: MOST, maxFragments: 4_352 })
  const heard: string[] = []
  receiver.on('message', (data: Buffer, isBinary: boolean) => heard.push(`${isBinary} ${data.length} ${data.toString('latin1')}`))
  receiver.on('ping', (data: Buffer) => heard.push(`ping ${data.toString()}`))
  receiver.on('error', (error: Error) => heard.push(error.message))
  for (const piece of pieces) await new Promise((done) => receiver.write(piece, done))
  return heard
}

const LENGTHS = [0, 1, 2, 125, 126, 200, 65_535, 65_536, 65_537, 65_539, 131_072, 131_073, 200_001]
function stream(): Buffer {
  const frames: Buffer[] = []
  for (let n = 0; n < 9; n++) {
    const bytes = Buffer.from(Array.from({ length: LENGTHS[random(LENGTHS.length)]! }, () => 32 + random(90)))
    const opcode = 1 + random(2)
    if (random(3) > 0) frames.push(frame(opcode, bytes))
    else {
      // Sends the frame in fragments, with a ping between them.
      const at = random(bytes.length + 1)
      frames.push(frame(opcode, bytes.subarray(0, at), false), frame(9, Buffer.from(`p${n}`)), frame(0, bytes.subarray(at)))
    }
  }
  return Buffer.concat(frames)
}
function chunks(bytes: Buffer, size: () => number): Buffer[] {
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + size())
    // Copies a socket's chunk: `ws` unmasks in place.
    out.push(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return out
}

test.each([
  ['whole', () => 1e9],
  ['as a socket gives it', () => 65_536],
  ['in pieces of all sizes', () => 1 + random([40, 3_000, 65_536, 65_536][random(4)]!)],
])('`ws` reads the same messages from a cut stream: %s', async (_, size) => {
  for (let round = 0; round < 3; round++) {
    const bytes = stream()
    const cutter = createFrameCutter(MOST)
    expect(await read(chunks(bytes, size).flatMap((chunk) => cutChunk(cutter, chunk)))).toEqual(await read([Buffer.from(bytes)]))
  }
})

test('a head that arrives byte by byte is read', async () => {
  const bytes = Buffer.concat([frame(1, Buffer.alloc(70_000, 65)), frame(1, Buffer.from('after'))])
  const cutter = createFrameCutter(MOST)
  expect(
    await read(
      chunks(bytes.subarray(0, 20), () => 1)
        .concat(chunks(bytes.subarray(20), () => 9_000))
        .flatMap((chunk) => cutChunk(cutter, chunk)),
    ),
  ).toEqual([`false 70000 ${'A'.repeat(70_000)}`, 'false 5 after'])
})

test('small frames pass unchanged, without a copy', () => {
  const chunk = Buffer.concat([frame(1, Buffer.from('{}')), frame(2, Buffer.alloc(3_000)), frame(9, Buffer.alloc(0))])
  const out = cutChunk(createFrameCutter(MOST), chunk)
  expect([out.length, out[0]!.buffer === chunk.buffer, out[0]!.equals(chunk)]).toEqual([1, true, true])
})

test('a large frame is passed on as fragments that `ws` need not unmask', () => {
  const out = cutChunk(createFrameCutter(MOST), frame(1, Buffer.alloc(1_000_000, 65)))
  const heads = out.filter((_, at) => at % 2 === 0)
  expect(heads.map((head) => [head[0], head.readUInt32BE(10)])).toEqual([[1, 0], ...Array.from({ length: 14 }, () => [0, 0]), [0x80, 0]])
  expect(Math.max(...out.map(({ length }) => length))).toBe(65_536)
})

test.each([
  ['longer than a frame may be', Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 1]), Buffer.alloc(4)]), 'Max payload size exceeded'],
  ['without a mask', Buffer.concat([Buffer.from([0x81, 0x7f, 0, 0, 0, 0, 0, 2, 0, 0]), Buffer.alloc(4)]), 'Invalid WebSocket frame: MASK must be set'],
  [
    'with reserved bits',
    Buffer.concat([Buffer.from([0xb1, 0xff, 0, 0, 0, 0, 0, 2, 0, 0]), Buffer.alloc(4)]),
    'Invalid WebSocket frame: RSV2 and RSV3 must be clear',
  ],
])('an invalid frame is left for `ws` to refuse: %s', async (_, bytes, message) => {
  expect(await read(cutChunk(createFrameCutter(MOST), bytes))).toEqual([message])
})
