import { describe, expect, test } from 'vitest'
import type { ComparedRequest } from '../kit/server.ts'
import { createWechatPayOracle } from './oracle.ts'
import { hasWechatPayDocs } from './published.ts'

const NATIVE = '/v3/pay/transactions/native'
const ORDER = {
  ...{ appid: 'wx1', mchid: '1900000109', description: 'd', out_trade_no: '123456', notify_url: 'https://a/n' },
  ...{ time_expire: '2026-11-21T12:15:00+08:00', amount: { total: 1, currency: 'CNY' } },
}
function faults(path: string, body: object, reply: object): string[] {
  const oracle = createWechatPayOracle()
  const request: ComparedRequest = { method: 'POST', path, query: new URLSearchParams(), headers: {}, body: JSON.stringify(body) }
  oracle.check(request, { status: 200, body: JSON.stringify(reply) })
  try {
    oracle.report()
    return []
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
}

describe.skipIf(!hasWechatPayDocs)('the published description (VENDOR_DOCS)', () => {
  const reply = { code_url: 'weixin://wxpay/bizpayurl?pr=1' }
  test('accepts an order', () => {
    expect(faults(NATIVE, ORDER, reply)).toEqual([])
  })
  test.each([
    ['an unknown field', { ...ORDER, nonsense: 1 }, '/ must NOT have additional properties: nonsense'],
    ['a number as text', { ...ORDER, amount: { total: '1' } }, '/amount/total must be integer'],
    ['a missing field', { ...ORDER, notify_url: undefined }, "/ must have required property 'notify_url'"],
    [
      'another form of time',
      { ...ORDER, time_expire: '2026-11-21 12:15:00' },
      `/time_expire must match pattern "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$"`,
    ],
  ])('refuses %s', (_, body, fault) => {
    expect(faults(NATIVE, body, reply)).toEqual([`POST ${NATIVE} request ${fault}`])
  })
  test('merges the parts of one object: a scene on a phone has both', () => {
    const scene = { payer_client_ip: '203.0.113.7', h5_info: { type: 'Wap' } }
    expect(faults('/v3/pay/transactions/h5', { ...ORDER, scene_info: scene }, { h5_url: 'https://a' })).toEqual([])
  })
})

test('a notice is compared by the parts written by hand, with or without the description', () => {
  const oracle = createWechatPayOracle()
  oracle.checkSent('refundNotice', { mchid: '1' })
  expect(() => oracle.report()).toThrow('out_refund_no')
})
