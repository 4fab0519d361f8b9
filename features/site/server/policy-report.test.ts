import { expect, test } from 'vitest'
import { readPolicyReports } from './policy-report.ts'

const old = (more: object) =>
  JSON.stringify({ 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'inline', 'document-uri': 'https://a.cn/api', ...more } })

test('both forms are read, and nothing of the reader is kept', () => {
  expect(
    readPolicyReports(old({ 'blocked-uri': 'https://evil.example/x.js?user=wang', 'document-uri': 'https://a.cn/en/orders/W20261121-00AA?mail=a@b.cn#k' })),
  ).toEqual([{ directive: 'script-src', blocked: 'https://evil.example', page: '/en/orders/*' }])
  const report = { type: 'csp-violation', body: { effectiveDirective: 'img-src', blockedURL: 'data', documentURL: 'https://a.cn/' } }
  expect(readPolicyReports(JSON.stringify([report, { type: 'deprecation', body: {} }, null]))).toEqual([{ directive: 'img-src', blocked: 'data', page: '/' }])
  expect(readPolicyReports(JSON.stringify(Array(50).fill(report)))).toHaveLength(10)
})

test('violations by extensions and malformed reports are ignored', () => {
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"csp-report":[]}',
    old({ 'blocked-uri': 'chrome-extension://abcdef/inject.js' }),
    old({ 'document-uri': 'about:blank' }),
    old({ 'effective-directive': "script-src'; drop table" }),
    old({ 'effective-directive': 7 }),
    old({ 'blocked-uri': { toString: 1 } }),
  ])
    expect([text, readPolicyReports(text)]).toEqual([text, []])
})
