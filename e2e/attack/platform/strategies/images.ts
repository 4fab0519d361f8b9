import { deflateSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const SIDE = 30_000

function buildPngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** A complete, valid image of one colour: 900 million pixels in some hundred kilobytes. */
function buildPngBomb(side = SIDE, more: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    buildPngChunk('IHDR', head),
    ...more,
    buildPngChunk('IDAT', rows),
    buildPngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A valid image with different dimensions in its header. */
function buildJpegBomb(honest: Buffer): Buffer {
  const bomb = Buffer.from(honest)
  const at = bomb.indexOf(Buffer.from('ffc0', 'hex'))
  bomb.writeUInt16BE(SIDE, at + 5)
  bomb.writeUInt16BE(SIDE, at + 7)
  return bomb
}
function buildWebpBomb(honest: Buffer): Buffer {
  const bomb = Buffer.from(honest)
  const at = bomb.indexOf('VP8 ') + 8 + 6
  bomb.writeUInt16LE(16_383, at)
  bomb.writeUInt16LE(16_383, at + 2)
  return bomb
}
const buildGifBomb = (): Buffer => Buffer.from('47494638396130757530f00000000000ffffff2c0000000030753075000002024c01003b', 'hex')

interface Upload {
  readonly purpose: string
  readonly type: string
  readonly file: Buffer
}

/** True if the platform accepted the upload. */
async function upload({ client }: Intruder, { purpose, type, file }: Upload): Promise<boolean> {
  const { data, code } = await client.get('/common/upload/policy', { purpose, type, size: file.length })
  if (code !== 200) return false
  const form = new FormData()
  for (const [name, value] of Object.entries(data.fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file)], { type }))
  await client.fetch(data.url, { method: 'POST', body: form })
  return (await client.post('/common/upload/done', { filePath: data.filePath })).code === 200
}

async function run({ intruder, must, needs }: StrategyTools): Promise<void> {
  const base = sharp({ create: { width: 900, height: 600, channels: 3, background: '#88aacc' } })
  const [jpeg, webp, whole] = [await base.clone().jpeg().toBuffer(), await base.clone().webp().toBuffer(), await base.clone().png().toBuffer()]
  const profile = buildPngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(60_000_000))]))
  const text = buildPngChunk('zTXt', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(60_000_000))]))
  const png = buildPngBomb()
  const bombs: readonly (readonly [name: string, type: string, file: Buffer])[] = [
    ['a PNG of 30,000 x 30,000', 'image/png', png],
    ['a PNG that says it is a JPEG', 'image/jpeg', png],
    ['a JPEG of 30,000 x 30,000', 'image/jpeg', buildJpegBomb(jpeg)],
    ['a WebP of 16,383 x 16,383', 'image/webp', buildWebpBomb(webp)],
    ['a GIF of 30,000 x 30,000', 'image/gif', buildGifBomb()],
    ['a GIF that says it is a PNG', 'image/png', buildGifBomb()],
    ['a PNG of 20,000 x 20,000 with a profile and a text of 60 MB', 'image/png', buildPngBomb(20_000, [profile, text])],
  ]
  const attackers = await Promise.all(Array.from({ length: 3 }, () => intruder(0)))
  const honest = await intruder(0)
  needs('an honest picture', await upload(honest, { purpose: 'idFront', type: 'image/png', file: whole }))
  const work = attackers.flatMap((attacker, n) =>
    bombs.map(async ([name, type, file]) => must(`${name} as ${PURPOSES[n]}`, !(await upload(attacker, { purpose: PURPOSES[n]!, type, file })))),
  )
  // other requests are served while all images are decoded
  const served = await honest.client.get('/user/info')
  must('other requests are not served meanwhile', served.code === 200, served.code)
  await Promise.all(work)
  needs('an honest picture afterwards', await upload(honest, { purpose: 'idBack', type: 'image/jpeg', file: jpeg }))
}
const PURPOSES = ['idFront', 'passport', 'evidence'] as const

export const IMAGE_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'image-bombs', tries: 'PNG, JPEG, WebP and GIF of 900 million pixels, and packed profiles, as papers and evidence, many at once', run },
]
