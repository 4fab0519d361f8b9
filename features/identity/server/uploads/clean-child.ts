import { serveParser } from '#platform/server/parsing/serve-parser.ts'
import { drawPdf } from './draw-pdf.ts'
import type Sharp from 'sharp'
import { loadPackage } from '#platform/server/load-package.ts'

/** Maximum number of pixels: above any phone's camera, below a decompression bomb. */
const MAX_PIXELS = 50_000_000
const MAX_SIDE = 2400
const MIN_SIDE = 300
const FIRST_BYTES: readonly (readonly [format: string, bytes: RegExp])[] = [
  ['jpeg', /^ffd8ff/],
  ['png', /^89504e470d0a1a0a/],
  ['webp', /^52494646.{8}57454250/],
]

/**
 * Redraws a picture: upright, as a JPEG, with only its pixels left of the file. Runs in the child process only. Throws if it is no picture
 * of the three kinds, is damaged, or would decompress to more than fits.
 */
async function drawImage(file: Buffer): Promise<{ jpeg: Buffer; width: number; height: number }> {
  const head = file.subarray(0, 12).toString('hex')
  const format = FIRST_BYTES.find(([, bytes]) => bytes.test(head))?.[0]
  if (!format) throw new Error('no picture that is taken')
  const sharp = loadPackage<typeof Sharp>('sharp')
  const open = () => sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: true, pages: 1 })
  const seen = await open().metadata()
  if (seen.format !== format || !seen.width || !seen.height || Math.min(seen.width, seen.height) < MIN_SIDE) throw new Error('no picture of that kind and size')
  const { data, info } = await open()
    .rotate()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 90 })
    .toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

// Serves as the only process that decodes pictures and documents uploaded by members.
serveParser({
  image: async (file) => {
    const { jpeg, width, height } = await drawImage(file)
    return { head: { width, height }, parts: [jpeg] }
  },
  pdf: async (file) => ({ head: {}, parts: [await drawPdf(file)] }),
})
