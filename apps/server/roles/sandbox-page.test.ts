import { expect, test } from 'vitest'
import { toPanelId, renderSandboxPage } from './sandbox-page.ts'

const panels = [
  { title: '付款 Payments', about: 'a', columns: ['时间 Time', '交易 Trade'], rows: [['2026-11-22 12:00:00', { text: 'T<1>', href: '/sandbox/pay/x' }]] },
  { title: '短信 Text messages', about: 'b', columns: ['时间 Time'], rows: [] },
] as const

test('one panel at a time; tabs keep whether it is live; cells carry their names for a phone', () => {
  expect(panels.map(toPanelId)).toEqual(['payments', 'text-messages'])
  const page = renderSandboxPage(panels, 0, true)
  expect(page).toContain('<a href="/sandbox?panel=payments" aria-current="page">付款 Payments <span class="count">1</span></a>')
  expect(page).toContain('<td data-name="交易 Trade"><div><a href="/sandbox/pay/x">T&#60;1&#62;</a></div></td>')
  expect(renderSandboxPage(panels, 1, false)).toContain('<a href="/sandbox?panel=payments&live=0">')
  expect(renderSandboxPage(panels, 1, false)).not.toContain('T&#60;1&#62;')
})

test('hints follow the table', () => {
  const page = renderSandboxPage([{ ...panels[0], hints: { title: 'Cents', items: [['.13', 'never <told>']] } }], 0, true)
  expect(page).toContain('</table><h2>Cents</h2><ul class="hints"><li><b>.13</b> never &#60;told&#62;</li></ul>')
})

test('links lead to this server only', () => {
  const foreign = [{ ...panels[0], rows: [['x', { text: 'out', href: 'https://evil.example/' }]] }]
  expect(renderSandboxPage(foreign, 0, true)).not.toContain('evil.example')
})
