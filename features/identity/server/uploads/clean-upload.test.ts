import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { cleanUpload, stopCleaning } from './clean-upload.ts'
import { MAX_PAGES } from './draw-pdf.ts'

afterAll(stopCleaning)
const log = createLog('silent')
const draw = (file: Buffer, kind: 'pdf' | 'image' = 'pdf') => cleanUpload(log, { kind, file, owner: 'member' })

/** A receipt as programs print them. */
async function aReceipt(change: (pdf: InstanceType<typeof PDFDocument>) => void = () => {}, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', ...options })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  pdf.text('Receipt 0412: 1 × subscription, 20.00 USD, cancelled on 2 November').addPage().text('Terms')
  change(pdf)
  const whole = new Promise<Buffer>((done) => pdf.on('end', () => done(Buffer.concat(parts))))
  pdf.end()
  return whole
}
const withObject = (pdf: Buffer, body: string | Buffer): Buffer => {
  const at = pdf.indexOf('xref')
  return Buffer.concat([pdf.subarray(0, at), Buffer.from('99 0 obj\n'), Buffer.from(body), Buffer.from('\nendobj\n'), pdf.subarray(at)])
}
const packed = (objects: string, dictionary = '/Filter /FlateDecode') => {
  const bytes = deflateSync(objects)
  return Buffer.concat([Buffer.from(`<< /Type /ObjStm /N 1 /First 4 ${dictionary} /Length ${bytes.length} >>\nstream\n`), bytes, Buffer.from('\nendstream')])
}
const ACTS = /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|URI|AcroForm|SubmitForm|OpenAction|Encrypt|Annots|AA)\b/

test('H6: a document is redrawn: it looks the same, and nothing in it acts', async () => {
  const original = await aReceipt((pdf) => {
    pdf.link(50, 50, 80, 20, 'https://shop.example/refunds')
    pdf.file(Buffer.from('MZ evil'), { name: 'evil.exe' })
    pdf.rect(0, 0, 595, 400).fill('#ff0000')
  })
  const acting = withObject(original, '<< /S /JavaScript /JS (app.alert(1)) >>')
  expect(ACTS.test(acting.toString('latin1'))).toBe(true)
  const cleaned = await draw(acting)
  if (typeof cleaned !== 'object') throw new Error(String(cleaned))
  const text = cleaned.body.toString('latin1')
  expect([text.slice(0, 5), text.match(/\/Type \/Page\b/g)?.length, text.match(/\/MediaBox \[0 0 595[\d.]* 841[\d.]*\]/g)?.length]).toEqual(['%PDF-', 2, 2])
  expect([ACTS.test(text), text.includes('MZ evil'), text.includes('shop.example')]).toEqual([false, false, false])
  // Red stays red: channels are not exchanged.
  const jpeg = cleaned.body.subarray(cleaned.body.lastIndexOf(Buffer.from('ffd8ff', 'hex')))
  const [r, g, b] = await sharp(jpeg).extract({ left: 200, top: 200, width: 1, height: 1 }).raw().toBuffer()
  expect([r! > 240, g! < 15, b! < 15]).toEqual([true, true, true])
})

test('H6: active content in packed objects, in names spelled with numbers or in unknown packings does not survive', async () => {
  for (const body of [
    '<< /S /J#61vaScript /J#53 (app.alert(1)) >>',
    packed('1 0 << /S /JavaScript /JS (app.alert(1)) >>'),
    packed('1 0 << >>', '/Filter [/ASCIIHexDecode /FlateDecode]'),
    '<< /Type /Filespec /EF << /F 3 0 R >> /EmbeddedFiles 4 0 R >>',
  ]) {
    const cleaned = await draw(withObject(await aReceipt(), body))
    if (cleaned === 'busy') throw new Error('busy')
    if (cleaned) expect(ACTS.test(cleaned.body.toString('latin1'))).toBe(false)
  }
})

test('H6: a file that is no PDF, is locked, or has too many or too large pages is refused', async () => {
  const pdf = await aReceipt()
  const files: Record<string, Buffer> = {
    'html': Buffer.from('<html>%PDF-1.7'),
    'a program before it': Buffer.concat([Buffer.from('MZ'), pdf]),
    'empty': Buffer.alloc(0),
    'no page': Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
    'a password': await aReceipt(undefined, { userPassword: 'secret' }),
    'too many pages': await aReceipt((it) => {
      for (let page = 0; page < MAX_PAGES; page++) it.addPage()
    }),
    'a page of a kilometre': await aReceipt((it) => it.addPage({ size: [2_834_646, 300] })),
  }
  for (const [name, file] of Object.entries(files)) expect([name, await draw(file)]).toEqual([name, undefined])
})

test('H6: a document that unfolds to 200 MB stops no other upload', async () => {
  // Each object stream decompresses to 20 MB: inflated one after another on the event loop, ten of them took five seconds.
  const stream = packed('0'.repeat(20_000_000))
  const receipt = await aReceipt()
  const at = receipt.indexOf('xref')
  const streams = Array.from({ length: 10 }, (_, i) => Buffer.concat([Buffer.from(`${i + 100} 0 obj\n`), stream, Buffer.from('\nendobj\n')]))
  const bomb = Buffer.concat([receipt.subarray(0, at), ...streams, receipt.subarray(at)])
  const [hostile, honest] = await Promise.all([
    cleanUpload(log, { kind: 'pdf', file: bomb, owner: 'attacker' }),
    cleanUpload(log, { kind: 'pdf', file: receipt, owner: 'member' }),
  ])
  expect(honest).toMatchObject({ width: 0, height: 0 })
  // The result is small, whether it is refused or drawn without its streams.
  if (typeof hostile === 'object') expect(hostile.body.length).toBeLessThan(2_000_000)
})

test('H6: a picture that unfolds to more pixels than a camera has is refused in the process that draws', async () => {
  const honest = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#88aacc' } })
    .jpeg()
    .toBuffer()
  expect(await draw(honest, 'image')).toMatchObject({ width: 900, height: 600 })
  const bomb = await sharp({ create: { width: 7_100, height: 7_100, channels: 3, background: 'red' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  expect(bomb.length).toBeLessThan(1_000_000)
  expect(await draw(bomb, 'image')).toBeUndefined()
  expect(await draw(Buffer.from('<svg/>'), 'image')).toBeUndefined()
})
