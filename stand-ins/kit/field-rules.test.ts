import { describe, expect, test } from 'vitest'
import { ALIPAY_FIGURES, ALIPAY_RULES } from '../alipay/index.ts'
import { NIHAOPAY_FIGURES, NIHAOPAY_RULES } from '../nihaopay/index.ts'
import { STRIPE_FIGURES, STRIPE_PAYMENT_RULES } from '../stripe/payments/index.ts'
import { WECHAT_PAY_FIGURES, WECHAT_PAY_RULES } from '../wechat-pay/index.ts'
import { countCharacters, findBrokenRule, findEmptyText } from './field-rules.ts'
import type { FieldRule, RuleContent } from './field-rules.ts'

const NOW = new Date('2026-11-21T12:00:00+08:00')
const rule: FieldRule = { calls: ['POST /a'], field: 'a.b', rule: 'at most 3', holds: (text) => String(text).length <= 3, code: 'X', source: 'https://a' }

test('a rule concerns its calls and its field, and an absent field only if it is required', () => {
  expect(findBrokenRule([rule], 'POST /a', { a: { b: 'long' } }, NOW)).toBe(rule)
  expect(findBrokenRule([rule], 'POST /a', { a: { b: 'abc' } }, NOW)).toBeUndefined()
  expect(findBrokenRule([rule], 'POST /b', { a: { b: 'long' } }, NOW)).toBeUndefined()
  expect(findBrokenRule([rule], 'POST /a', {}, NOW)).toBeUndefined()
  const required: FieldRule = { ...rule, required: true, holds: (text) => typeof text === 'string' }
  expect(findBrokenRule([required], 'POST /a', { a: null }, NOW)).toBe(required)
})

test('an empty text is found at any depth, and characters are counted, not units', () => {
  expect([findEmptyText({ a: [{ b: 'c' }, { d: '' }] }), findEmptyText({ a: 0, b: null })]).toEqual(['a.1.d', undefined])
  expect(countCharacters('💴元a')).toBe(3)
})

const TABLES = { alipay: ALIPAY_RULES, nihaopay: NIHAOPAY_RULES, stripe: STRIPE_PAYMENT_RULES, wechat: WECHAT_PAY_RULES }
const FIGURES = [ALIPAY_FIGURES, NIHAOPAY_FIGURES, STRIPE_FIGURES, WECHAT_PAY_FIGURES]

test('every rule and every figure names a page', () => {
  for (const { source } of [...Object.values(TABLES).flat(), ...FIGURES.flatMap((figures) => Object.values(figures))]) expect(source).toMatch(/^https:\/\/\S+$/)
})

describe('requests that vendors refuse', () => {
  const page = { out_trade_no: 'a_1', total_amount: '1.00', subject: 's', product_code: 'FAST_INSTANT_TRADE_PAY' }
  const order = {
    ...{ appid: 'a', mchid: 'm', description: 'd', out_trade_no: '123456', notify_url: 'https://a/n', amount: { total: 1, currency: 'CNY' } },
    time_expire: '2026-11-21T12:15:00+08:00',
  }
  const session = {
    mode: 'payment',
    success_url: 'https://a',
    expires_at: String(NOW.getTime() / 1000 + 3600),
    line_items: [{ quantity: '1', price_data: { currency: 'usd', unit_amount: '50' } }],
  }
  const unionPay = { reference: 'R1', amount: '1', currency: 'USD', ipn_url: 'https://a', callback_url: 'https://a', vendor: 'unionpay' }
  const breaks = (vendor: keyof typeof TABLES, call: string, content: RuleContent) => findBrokenRule(TABLES[vendor], call, content, NOW)?.field

  test.each<[keyof typeof TABLES, string, RuleContent, string | undefined]>([
    ['alipay', 'alipay.trade.page.pay', page, undefined],
    ['alipay', 'alipay.trade.page.pay', { ...page, out_trade_no: 'a-1' }, 'out_trade_no'],
    ['alipay', 'alipay.trade.page.pay', { ...page, total_amount: '1' }, 'total_amount'],
    ['alipay', 'alipay.trade.page.pay', { ...page, total_amount: '0.00' }, 'total_amount'],
    ['alipay', 'alipay.trade.page.pay', { ...page, subject: 'a&b' }, 'subject'],
    ['alipay', 'alipay.trade.page.pay', { ...page, subject: 'x'.repeat(257) }, 'subject'],
    ['alipay', 'alipay.trade.page.pay', { ...page, time_expire: '2026-11-21 12:00:30' }, 'time_expire'],
    ['alipay', 'alipay.trade.page.pay', { ...page, time_expire: '2026-12-21 12:00:00' }, 'time_expire'],
    ['alipay', 'alipay.trade.page.pay', { ...page, timeout_express: '1.5h' }, 'timeout_express'],
    ['alipay', 'alipay.trade.page.pay', { ...page, qr_pay_mode: '2', qrcode_width: 200 }, 'qrcode_width'],
    ['alipay', 'alipay.trade.refund', { out_trade_no: 'a', refund_amount: '1.00', out_request_no: 'r'.repeat(65) }, 'out_request_no'],
    ['alipay', 'alipay.user.agreement.query', { external_agreement_no: 'A_1', sign_scene: 's', personal_product_code: 'p' }, 'external_agreement_no'],
    ['alipay', 'alipay.user.agreement.query', { external_agreement_no: 'A1', sign_scene: 'DEFAULT|DEFAULT', personal_product_code: 'p' }, 'sign_scene'],
    ['wechat', 'POST /v3/pay/transactions/native', order, undefined],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, out_trade_no: '12345' }, 'out_trade_no'],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, description: '长'.repeat(128) }, 'description'],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, time_expire: '2026-11-21T12:00:30+08:00' }, 'time_expire'],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, time_expire: '2026-11-21T04:15:00Z' }, 'time_expire'],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, notify_url: 'https://a/n?x=1' }, 'notify_url'],
    ['wechat', 'POST /v3/pay/transactions/native', { ...order, amount: { total: '1', currency: 'CNY' } }, 'amount.total'],
    ['wechat', 'POST /v3/pay/transactions/h5', order, 'scene_info.payer_client_ip'],
    ['stripe', 'POST /v1/checkout/sessions', session, undefined],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, expires_at: String(NOW.getTime() / 1000 + 1799) }, 'expires_at'],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, expires_at: String(NOW.getTime() / 1000 + 86_401) }, 'expires_at'],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, metadata: { ['k'.repeat(41)]: 'v' } }, 'metadata'],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, metadata: { k: 'v'.repeat(501) } }, 'metadata'],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, line_items: [{ quantity: '1', price_data: { currency: 'usd', unit_amount: '49' } }] }, 'line_items'],
    ['stripe', 'POST /v1/checkout/sessions', { ...session, allowed_payment_method_types: ['wechat_pay'] }, 'payment_method_options'],
    ['stripe', 'POST /v1/payment_intents', { amount: '100', currency: 'usd', statement_descriptor: 'abcd' }, 'statement_descriptor'],
    ['stripe', 'POST /v1/payment_intents', { amount: '100', currency: 'usd', off_session: 'true' }, 'off_session'],
    ['nihaopay', 'POST /v1.2/transactions/securepay', unionPay, undefined],
    ['nihaopay', 'POST /v1.2/transactions/securepay', { ...unionPay, reference: 'R-1' }, 'reference'],
    ['nihaopay', 'POST /v1.2/transactions/securepay', { ...unionPay, rmb_amount: '1' }, 'amount'],
    ['nihaopay', 'POST /v1.2/transactions/securepay', { ...unionPay, timeout: '1441' }, 'timeout'],
    ['nihaopay', 'POST /v1.2/transactions/aplus', { ...unionPay, vendor: undefined, terminal: 'WAP' }, 'ostype'],
  ])('%s %s %o: %s', (vendor, call, content, field) => {
    expect(breaks(vendor, call, content)).toBe(field)
  })
})
