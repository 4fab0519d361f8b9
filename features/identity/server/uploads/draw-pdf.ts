import type PDFDocument from 'pdfkit'
import type Sharp from 'sharp'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { loadPackage } from '#platform/server/load-package.ts'

/** Maximum number of pages; evidence of a dispute has a few. */
export const MAX_PAGES = 40
/** Maximum side of a page in points: a poster of 118 cm has 3,370. */
const MAX_SIDE = 4_000
/** Maximum pixels of one page, whatever its size: A4 at 144 dots an inch has two million. */
const PAGE_PIXELS = 4_000_000
/** Scale of a page: dots an inch are 72 times this. Long documents are drawn coarser, so that all pages stay below ten megabytes. */
const chooseScale = (pages: number): number => (pages <= 10 ? 2 : 1.5)
const QUALITY = 78

let library: Promise<PDFiumLibrary> | undefined

/**
 * Redraws a document, each page as a picture: scripts, links, forms, attachments and hidden text of the original are not in the result.
 * Runs in the child process only. Throws if it is no PDF, is locked by a password, or has too many pages.
 */
export async function drawPdf(file: Buffer): Promise<Buffer> {
  if (!/^%PDF-[12]\.\d/.test(file.toString('latin1', 0, 8))) throw new Error('no PDF')
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(file)
  try {
    const count = document.getPageCount()
    if (count < 1 || count > MAX_PAGES) throw new Error(`${count} pages`)
    const Pdf = loadPackage<typeof PDFDocument>('pdfkit')
    const pdf = new Pdf({ autoFirstPage: false, info: { Producer: '', Creator: '' } })
    const pieces: Buffer[] = []
    const whole = new Promise<Buffer>((done) => pdf.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => done(Buffer.concat(pieces))))
    for (let at = 0; at < count; at++) {
      const page = document.getPage(at)
      const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
      if (!(width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE)) throw new Error(`a page of ${width} by ${height}`)
      const scale = Math.min(chooseScale(count), Math.sqrt(PAGE_PIXELS / (width * height)))
      const drawn = await page.render({ scale, render: 'bitmap' })
      const jpeg = await encodeJpeg(drawn)
      pdf.addPage({ size: [width, height], margin: 0 }).image(jpeg, 0, 0, { width, height })
    }
    pdf.end()
    return await whole
  } finally {
    document.destroy()
  }
}

/** PDFium's bitmap already has blue and red exchanged: RGBA. */
function encodeJpeg({ data, width, height }: { data: Uint8Array; width: number; height: number }): Promise<Buffer> {
  const sharp = loadPackage<typeof Sharp>('sharp')
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
