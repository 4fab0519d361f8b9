import { expect, test } from 'vitest'
import { MOVEMENTS, formatMovementTitle } from '#features/wallet/contract-movements.ts'
import { createFormatter, wordTexts } from './format.ts'

const say = createFormatter('en')

test('audit data is shown in words: dollars with their sign, rates and other currencies unchanged', () => {
  const row = { amount: '20', rate: '7.1230', payAmount: '147.45', payCurrency: 'CNY', ip: '127.0.0.1', roles: ['owner', 'risk'], deep: { a: 1 }, none: null }
  expect(say.data(row)).toEqual([
    ...[
      ['Amount', '$20.00'],
      ['Rate', '7.1230'],
      ['To pay', '147.45'],
      ['Paid in', 'CNY'],
      ['IP', '127.0.0.1'],
    ],
    ...[
      ['Roles', 'Owner, Risk'],
      ['deep', '{"a":1}'],
      ['none', '—'],
    ],
  ])
})

test('a mail is shown by its name, not by its template’s', () => {
  expect(say.value('payments.paid', 'template')).toBe('Payment received')
  expect(createFormatter('zh').value('cards.closed_by_rule', 'template')).toBe('卡按规则注销')
  expect(say.data({ template: 'services.kept' })).toEqual([['Email', 'Service not started, payment in the balance']])
})

test('a subject is shown with its kind, the only one of a kind by the kind alone', () => {
  expect(say.subject('order:20261124-A')).toBe('Order 20261124-A')
  expect(say.subject('system:system')).toBe('System')
})

test('ledger kinds use the words of the movements table and no others', () => {
  for (const lang of ['zh', 'en'] as const)
    for (const kind of Object.keys(MOVEMENTS)) {
      expect([kind, createFormatter(lang).value(kind)]).toEqual([kind, formatMovementTitle(lang, kind, { isIn: true })])
      expect(Object.keys(wordTexts[lang])).not.toContain(`value_${kind}`)
    }
})
