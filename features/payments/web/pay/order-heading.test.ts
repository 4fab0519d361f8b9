import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import { LangContext } from '#platform/web/i18n.ts'
import type { PaymentOrder } from '../../contract-shapes.ts'
import { formatOrderSubject, formatOrderTitle } from '../../texts-titles.ts'
import { createOrderWords } from '../../server/paper/paper-texts.ts'
import { paymentTexts } from '../../texts.ts'
import { ORDER_TYPE } from '../../words.ts'
import { FigureLines, PaidLines } from '../order-lines.tsx'
import { formatPaidHeading, formatPayHeading } from './order-heading.ts'
import type { PayState } from './pay-machine.ts'

const LANGS = ['zh', 'en'] as const
const TYPES = Object.values(ORDER_TYPE)
const say = (lang: Lang) => ({
  t: (key: TextKeyOf<typeof paymentTexts>, values?: Readonly<Record<string, unknown>>) =>
    fill(paymentTexts[lang][key], values as Readonly<Record<string, string>>),
  title: (orderType: number) => formatOrderTitle(orderType, lang),
})
const anOrder = (orderType: number): PaymentOrder => ({
  ...{
    orderNo: '20261120-8F31AK2M7QXY',
    orderType,
    payStatus: 1,
    state: 'paid',
    amount: '11.99',
    feePercent: '3.5',
    fee: '0.42',
    fixedFee: '0',
    total: '12.41',
  },
  ...{ rate: '7.1230', payAmount: '88.40', payCurrency: 'CNY', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE', secondsLeft: 0 },
  ...{ createdTime: '2026-11-20T00:00:00.000Z', expireTime: '2026-11-20T00:15:00.000Z', successTime: '2026-11-20T00:01:00.000Z' },
})
const method = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' } as const

describe.each(LANGS)('%s', (lang) => {
  test('each order type has a name of its own', () => {
    expect(new Set(TYPES.map((type) => formatOrderTitle(type, lang))).size).toBe(TYPES.length)
  })

  test.each(TYPES)('dialog, code, cashier, result and receipts of an order of type %i name the order', (type) => {
    const [order, title] = [anOrder(type), formatOrderTitle(type, lang)]
    const opening: PayState = { step: 'opening', order, method }
    expect(formatPayHeading(say(lang), { step: 'amount', busy: false }, { orderType: type, amount: '11.99' })).toBe(title)
    for (const state of [opening, { ...opening, step: 'balance', busy: false }] as PayState[]) {
      expect(formatPayHeading(say(lang), state, undefined)).toContain(title)
      expect(formatPayHeading(say(lang), state, undefined)).toContain('88.40')
    }
    expect(formatPaidHeading(say(lang), order)).toContain(title)
    expect(formatOrderSubject('明细', type, '11.99')).toContain(title)
    expect(createOrderWords(lang).title(type)).toBe(title)
    const lines = createElement(PaidLines, { order: { ...order, balance: '0' } })
    expect(renderToStaticMarkup(createElement(LangContext, { value: lang }, lines))).toContain(title)
  })

  test('a top-up has one name, before and after its order; another browser than the payer’s learns no name', () => {
    expect(formatPayHeading(say(lang), { step: 'amount', busy: false }, undefined)).toBe(formatOrderTitle(ORDER_TYPE.OPENAI_API, lang))
    const lines = createElement(FigureLines, { amount: '20', fees: { feePercent: '3.5', fixedFee: '0' }, rate: '7.1230', currency: 'CNY' })
    expect(renderToStaticMarkup(createElement(LangContext, { value: lang }, lines))).toContain(formatOrderTitle(ORDER_TYPE.OPENAI_API, lang))
    expect(formatPaidHeading(say(lang), undefined)).toBe(paymentTexts[lang].result_paid)
  })
})
