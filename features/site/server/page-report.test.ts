import { expect, test } from 'vitest'
import { readPageReport, redactPersonalData } from './page-report.ts'

const ORIGIN = 'https://mingxi.example'
const read = (report: unknown) => readPageReport(typeof report === 'string' ? report : JSON.stringify(report), ORIGIN)
const fault = { kind: 'error', message: 'x is undefined', place: 'https://mingxi.example/assets/core-AbC_1.js:1:2345', page: '/api', version: 'mfx1k2' }

test('a fault is kept without personal data of the reader', () => {
  expect(read(fault)).toEqual({ kind: 'error', message: 'x is undefined', place: 'core-AbC_1.js:1:2345', page: '/api', version: 'mfx1k2' })
  expect(read({ ...fault, page: '/orders/P20261121-00AA?mail=a@b.cn' })).toMatchObject({ page: '/orders/*' })
  for (const [said, kept] of [
    ['cannot read "王小明" of wang@example.com', 'cannot read <text> of <mail>'],
    ['order P20261121-0000000000AA failed after 312 ms', 'order P0-0AA failed after 0 ms'],
    ['https://mingxi.example/orders?x=1 did not load', '<url> did not load'],
    ['token abcdefghijklmnopqrstuvwxyz', 'token <word>'],
    ['余额不足 for 13800138000', '<text> for 0'],
  ])
    expect(redactPersonalData(said!)).toBe(kept)
  expect(redactPersonalData('a '.repeat(900))).toHaveLength(200)
})

test('malformed reports and faults of browser extensions are ignored', () => {
  for (const report of [
    ...['', '{', '[]', 'null', '"x"', {}],
    { ...fault, kind: 'other' },
    { ...fault, message: 7 },
    { ...fault, version: "'; drop table" },
    { ...fault, place: 'chrome-extension://abc/inject.js:1:1' },
    { event: 'channel_chosen', detail: 'x' },
    { event: 'other', detail: '1' },
  ])
    expect([report, read(report)]).toEqual([report, undefined])
  expect(read({ ...fault, kind: 'page', place: '' })).toMatchObject({ kind: 'page', place: '' })
  expect(read({ event: 'payment_submitted', detail: 25 })).toEqual({ event: 'payment_submitted', detail: '25' })
})
