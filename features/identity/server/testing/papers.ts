import sharp from 'sharp'

export { aSamplePerson, drawIdBack, drawIdFront, drawPassport, buildIdNumber } from '../samples/draw-papers.ts'
export type { SamplePerson } from '../samples/draw-papers.ts'

export const PICTURE_DEFECTS = ['clean', 'leaning', 'upside', 'dark', 'blurred', 'glare', 'shadow', 'cut', 'small', 'noisy'] as const
export type PictureDefect = (typeof PICTURE_DEFECTS)[number]

/** Simulates common defects of photographed papers. */
export async function applyPictureDefect(jpeg: Buffer, how: PictureDefect): Promise<Buffer> {
  const { width, height } = await sharp(jpeg).metadata()
  const over = (svg: string) => [{ input: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${svg}</svg>`) }]
  switch (how) {
    case 'leaning':
      return sharp(jpeg).rotate(7, { background: '#7d7468' }).jpeg().toBuffer()
    case 'upside':
      return sharp(jpeg).rotate(180).jpeg().toBuffer()
    case 'dark':
      return sharp(jpeg).linear(0.35, 0).jpeg({ quality: 80 }).toBuffer()
    case 'blurred':
      return sharp(jpeg).blur(4.2).jpeg().toBuffer()
    case 'glare':
      return sharp(jpeg)
        .composite(
          over(
            `<defs><radialGradient id="g"><stop offset="0.35" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><ellipse cx="${width * 0.5}" cy="${height * 0.62}" rx="230" ry="120" fill="url(#g)"/><ellipse cx="${width * 0.62}" cy="${height * 0.84}" rx="110" ry="60" fill="url(#g)"/>`,
          ),
        )
        .jpeg()
        .toBuffer()
    case 'shadow':
      return sharp(jpeg)
        .composite(over(`<rect x="${width * 0.55}" y="${height * 0.5}" width="${width * 0.45}" height="${height * 0.5}" fill="#101010" fill-opacity="0.82"/>`))
        .jpeg()
        .toBuffer()
    case 'cut':
      return sharp(jpeg)
        .extract({ left: 0, top: 0, width: Math.round(width * 0.72), height })
        .jpeg()
        .toBuffer()
    case 'small':
      return sharp(jpeg).resize({ width: 460 }).jpeg({ quality: 60 }).toBuffer()
    case 'noisy':
      return sharp(jpeg).resize({ width: 900 }).blur(1.2).jpeg({ quality: 18 }).toBuffer()
    default:
      return jpeg
  }
}
