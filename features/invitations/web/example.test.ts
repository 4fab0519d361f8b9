import { expect, test } from 'vitest'
import { buildCsvBlob } from './records.tsx'
import { buildDiscountExample } from './example.ts'

test('20.00 less 2.00, 3.5 % of 18.00: 18.63', () => {
  expect(buildDiscountExample('2', '3.5')).toEqual({ amount: '20', discount: '2', fee: '0.63', feePercent: '3.5', due: '18.63' })
})

test('a cell that a spreadsheet would run is text, and quotes are doubled', async () => {
  const bytes = await buildCsvBlob([['=1+1', 'a "b", c', '+86']]).arrayBuffer()
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(`\ufeff'=1+1,"a ""b"", c",'+86\r\n`)
})
