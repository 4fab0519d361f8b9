import { mkdirSync, writeFileSync } from 'node:fs'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { formatPaymentLine } from '../order-movements.ts'
import { drawPaper } from './draw.ts'
import type { InvoiceFacts, ReceiptFacts } from './facts.ts'
import { MISSING_GLYPH, stripInvisible } from './pen.ts'

const house = { company: 'Mingxi (Hong Kong) Limited', brand: 'Mingxi', brandZh: '明细', support: 'support@mingxi.example' }
const line = {
  orderNo: '20261121-0A1B2C3D4E5F',
  orderType: 10,
  method: 1,
  paidTime: '2026-11-21T02:30:00Z',
  amount: '20',
  fee: '0.7',
  total: '20.7',
  back: '0',
  net: '20.7',
}
const receipt: ReceiptFacts = {
  kind: 'receipt',
  house,
  to: 'wang@example.com',
  line,
  rate: '7.1230',
  feePercent: '3.5',
  payAmount: '147.45',
  payCurrency: 'CNY',
}
const to = {
  userName: '王小明',
  email: 'wang@example.com',
  country: '中国',
  state: '广东',
  city: '深圳',
  addressLine: '南山区科技园 1 号',
  postalCode: '518057',
}
const invoice: InvoiceFacts = {
  kind: 'invoice',
  house,
  month: '2026-11',
  to,
  lines: [line, { ...line, orderNo: '20261119-0000000000ZZ', amount: '400', fee: '14', total: '414', back: '100', net: '314' }],
  net: '334.7',
}
const standing = { paperNo: 'IN-2026-000042', issuedAt: new Date('2026-11-21T03:00:00Z'), voidAt: null, replacedBy: null }

async function textOf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  let text = ''
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent()
    text += items.map((item) => ('str' in item ? item.str : '')).join('')
  }
  await pdf.loadingTask.destroy()
  return text
}
function savePaper(name: string, bytes: Uint8Array): void {
  if (!process.env['KEEP_PAPER']) return
  mkdirSync('e2e/.shots', { recursive: true })
  writeFileSync(`e2e/.shots/${name}.pdf`, bytes)
}

describe.each(['zh', 'en'] as const)('%s', (lang) => {
  test('a receipt says what was paid', async () => {
    const bytes = await drawPaper(receipt, standing, lang)
    savePaper(`receipt-${lang}`, bytes)
    const text = await textOf(bytes)
    for (const part of [
      'IN-2026-000042',
      line.orderNo,
      '2026-11-21 10:30:00',
      'wang@example.com',
      '$20.00',
      '$0.70',
      '$20.70',
      '7.1230',
      '¥147.45',
      house.company,
    ])
      expect(text).toContain(part)
    expect(text).toContain(lang === 'zh' ? '已支付' : 'PAID')
    expect(text).toContain(formatPaymentLine(lang, { orderType: 10, transactionType: 1 }))
    expect(bytes.length).toBeLessThan(90_000)
  })
  test('an invoice lists every payment and adds up', async () => {
    const bytes = await drawPaper(invoice, standing, lang)
    savePaper(`invoice-${lang}`, bytes)
    const text = await textOf(bytes)
    for (const part of ['王小明', '南山区科技园 1 号', '中国', '2026-11', '20.70', '400.00', '-100.00', '314.00', 'USD 334.70']) expect(text).toContain(part)
  })
  test('a void invoice says so, and names its replacement', async () => {
    const bytes = await drawPaper(
      { ...receipt, line: { ...line, back: '5', net: '15.7' } },
      { ...standing, voidAt: new Date(), replacedBy: 'IN-2026-000043' },
      lang,
    )
    savePaper(`void-${lang}`, bytes)
    const text = await textOf(bytes)
    expect(text).toContain(lang === 'zh' ? '已作废' : 'VOID')
    expect(text).toContain('IN-2026-000043')
  })
})

const NAMES = {
  'common Chinese': ['王小明', '王小明'],
  'rare and traditional Chinese': ['龘臺灣囍㐂', `龘臺灣囍${MISSING_GLYPH}`],
  'Latin with marks': ['Łukasz Éloïse Ștefan', undefined],
  'Cyrillic': ['Жанна Ёлкина', 'Жанна Ёлкина'],
  'a script element': ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  'emoji': ['王🙂明👨‍👩‍👧', `王${MISSING_GLYPH}明${MISSING_GLYPH.repeat(3)}`],
  'right to left': ['אברהם محمد', `${MISSING_GLYPH.repeat(5)} ${MISSING_GLYPH.repeat(4)}`],
  'a turned direction': ['abc\u202Egnp.exe', 'abcgnp.exe'],
  'controls': ['a\u0000b\u0007c\td', 'abc d'],
  'PDF syntax': ['(a) Tj ET /F1 <> \\ % endobj', '(a) Tj ET /F1 <> \\ % endobj'],
  'a plane two character': ['𠮷野', `${MISSING_GLYPH}野`],
} as const

test.each(Object.entries(NAMES))('a name with %s prints safely', async (_, [userName, expected]) => {
  const bytes = await drawPaper({ ...invoice, to: { ...to, userName } }, standing, 'zh')
  const text = await textOf(bytes)
  if (expected !== undefined) expect(text).toContain(expected)
  expect(stripInvisible(userName)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
})

test('two hundred payments run over pages that all have their number', async () => {
  const bytes = await drawPaper(
    { ...invoice, lines: Array.from({ length: 200 }, (_, n) => ({ ...line, orderNo: `20261101-${String(n).padStart(12, '0')}` })) },
    standing,
    'en',
  )
  savePaper('invoice-long', bytes)
  const text = await textOf(bytes)
  for (let n = 0; n < 200; n++) expect(text).toContain(`20261101-${String(n).padStart(12, '0')}`)
  expect(text).toMatch(/Page 1 of 1\d/)
})
