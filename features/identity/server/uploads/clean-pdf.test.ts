import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { isQuietPdf } from './clean-pdf.ts'

/** A receipt as programs print them. */
async function aReceipt(draw: (pdf: InstanceType<typeof PDFDocument>) => void = () => {}): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4' })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  pdf.text('Receipt 0412: 1 × subscription, 20.00 USD, cancelled on 2 November').addPage().text('Terms')
  draw(pdf)
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

test('H6: a receipt is taken, also with its objects packed', async () => {
  const plain = await aReceipt((pdf) => pdf.link(50, 50, 80, 20, 'https://shop.example/refunds'))
  expect(isQuietPdf(plain)).toBe(true)
  expect(isQuietPdf(withObject(plain, packed('1 0 << /Type /Catalog /Title (a /page) >>')))).toBe(true)
})

test.each([
  ['a script', '<< /S /JavaScript /JS (app.alert(1)) >>'],
  ['a script, spelled', '<< /S /J#61vaScript /J#53 (app.alert(1)) >>'],
  ['a program', '<< /S /Launch /F (cmd.exe) >>'],
  ['a file in it', '<< /Type /Filespec /EF << /F 3 0 R >> /EmbeddedFiles 4 0 R >>'],
  ['a form that sends', '<< /S /SubmitForm /F (https://evil.example) >>'],
  ['a key', '<< /Encrypt 5 0 R >>'],
  ['a script, packed', packed('1 0 << /S /JavaScript /JS (app.alert(1)) >>')],
  ['a script, packed and spelled', packed('1 0 << /S /#4aavaScript >>')],
  ['packed so that nobody can look', packed('1 0 << >>', '/Filter [/ASCIIHexDecode /FlateDecode]')],
  ['packed and broken', Buffer.from('<< /Type /ObjStm /Filter /FlateDecode >>\nstream\nnot deflated\nendstream')],
  ['a bomb', packed('0'.repeat(30_000_000))],
])('H6: %s is refused', async (_, body) => {
  expect(isQuietPdf(withObject(await aReceipt(), body))).toBe(false)
})

test('H6: what only says it is a PDF is refused', async () => {
  const pdf = await aReceipt()
  for (const file of [Buffer.from('<html>%PDF-1.7'), pdf.subarray(0, pdf.length - 1200), Buffer.concat([Buffer.from('MZ'), pdf]), Buffer.alloc(0)])
    expect(isQuietPdf(file)).toBe(false)
})
