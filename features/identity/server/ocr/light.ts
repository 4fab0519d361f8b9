import type Sharp from 'sharp'
import { loadPackage } from '#platform/server/load-package.ts'
import type { ReadingDoubt } from '../../contract-words.ts'
import type { OcrBox } from './lines.ts'

/** Brightness of a picture, by row. */
export interface Brightness {
  readonly grey: Uint8Array
  readonly width: number
  readonly height: number
}

export async function measureBrightness(jpeg: Buffer): Promise<Brightness> {
  const sharp = loadPackage<typeof Sharp>('sharp')
  const { data, info } = await sharp(jpeg).resize({ width: 640, height: 640, fit: 'inside' }).greyscale().raw().toBuffer({ resolveWithObject: true })
  return { grey: data, width: info.width, height: info.height }
}

const EDGE = 0.012

/** Likely reason for a doubtful place: cut off, too bright, too dark, else blurred. */
export function findDoubt({ grey, width, height }: Brightness, { x, y, w, h }: OcrBox): ReadingDoubt {
  if (x < EDGE || y < EDGE || x + w > 1 - EDGE || y + h > 1 - EDGE) return 'cut'
  const [left, top] = [Math.floor(x * width), Math.floor(y * height)]
  const [right, bottom] = [Math.min(width, Math.ceil((x + w) * width)), Math.min(height, Math.ceil((y + h) * height))]
  let [sum, white, dark, count] = [0, 0, 0, 0]
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const value = grey[row * width + column]!
      sum += value
      if (value >= 250) white++
      if (value < 90) dark++
      count++
    }
  }
  if (!count) return 'cut'
  if (white / count > 0.12) return 'glare'
  if (sum / count < 110 || dark / count > 0.45) return 'shadow'
  return 'blur'
}
