import type { SentWebhook } from '../kit/webhooks.ts'
import { createSign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { KeyObject } from 'node:crypto'
import { joinAlipayFields, FORM_HEADERS, encodeAlipayForm, signAlipayText } from './keys.ts'
import type { AlipayKeys } from './keys.ts'

type Fields = Readonly<Record<string, string>>

export function signAlipayFields(key: KeyObject, fields: Fields): Record<string, string> {
  return { ...fields, sign_type: 'RSA2', sign: signAlipayText(key, joinAlipayFields(fields, ['sign', 'sign_type'])) }
}
export const toAlipayWebhook = (fields: Fields): SentWebhook => ({ headers: FORM_HEADERS, body: encodeAlipayForm(fields) })

/** Forged webhooks: sent without Alipay's key, or signed by Alipay for another merchant. */
export function forgeAlipayNotices(keys: AlipayKeys, signer: KeyObject, about: Fields, other: Fields): Record<string, SentWebhook> {
  const good = signAlipayFields(signer, about)
  const body = encodeAlipayForm(good)
  const changed = (over: Fields) => toAlipayWebhook({ ...good, ...over })
  const without = (name: string) => toAlipayWebhook(Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)))
  const resigned = (over: Fields) => toAlipayWebhook(signAlipayFields(signer, { ...about, ...over }))
  const raw = (bytes: Buffer, headers = {}): SentWebhook => ({ headers: { ...FORM_HEADERS, ...headers }, body: bytes })
  const content = joinAlipayFields(about, ['sign', 'sign_type'])
  return {
    'no signature': without('sign'),
    'no algorithm': without('sign_type'),
    'empty signature': changed({ sign: '' }),
    'wrong key': toAlipayWebhook(signAlipayFields(keys.stranger, about)),
    "the application's own key": toAlipayWebhook(signAlipayFields(keys.app.privateKey, about)),
    'algorithm RSA': toAlipayWebhook({ ...about, sign_type: 'RSA', sign: createSign('RSA-SHA1').update(content).sign(signer, 'base64') }),
    'algorithm RSA under the name RSA2': toAlipayWebhook({ ...about, sign_type: 'RSA2', sign: createSign('RSA-SHA1').update(content).sign(signer, 'base64') }),
    'algorithm MD5': changed({ sign_type: 'MD5' }),
    'algorithm none': changed({ sign_type: 'none', sign: '' }),
    'another application': resigned({ app_id: '2021000118660002' }),
    'another seller': resigned({ seller_id: '2088102146225136' }),
    'no seller': resigned({ seller_id: '' }),
    'no trade number': resigned({ out_trade_no: '' }),
    'no notice id': resigned({ notify_id: '' }),
    'amount that is none': resigned({ total_amount: '1e3' }),
    'another charset': resigned({ charset: 'GBK' }),
    'tampered amount': changed({ total_amount: '0.01' }),
    'tampered trade': changed({ out_trade_no: other['out_trade_no']! }),
    'tampered state': changed({ trade_status: 'TRADE_FINISHED' }),
    'tampered seller': changed({ seller_id: '2088102146225136' }),
    'a field more': changed({ refund_fee: '147.45' }),
    'a field less': without('total_amount'),
    'signature of another notice': changed({ sign: signAlipayFields(signer, other)['sign']! }),
    'a name twice': raw(Buffer.concat([body, Buffer.from('&total_amount=0.01')])),
    'cut body': raw(body.subarray(0, -3)),
    'empty body': raw(Buffer.alloc(0)),
    'JSON instead of a form': raw(Buffer.from(JSON.stringify(good))),
    'packed body': raw(gzipSync(body), { 'content-encoding': 'gzip' }),
    'bytes that are no UTF-8': raw(Buffer.concat([body, Buffer.from([0xff, 0xfe])])),
  }
}

/** Alipay signs values, not bytes: another encoding of the same values is valid, another value is not. */
export function buildAlipayVectors(signer: KeyObject, make: () => Fields): { name: string; sent: SentWebhook; good: boolean }[] {
  const values: Record<string, Fields> = {
    'plain': {},
    'signs of a form': { subject: 'a+b %2B & c=d; 100%' },
    'unicode': { subject: '充值 é 💴 "quoted" \\u5145' },
    'a percent sign': { body: '50% off %E5' },
    'JSON inside': { fund_bill_list: '[{"amount":"147.45","fundChannel":"ALIPAYACCOUNT"}]' },
    'an empty value': { passback_params: '' },
  }
  return Object.entries(values).flatMap(([name, over]) => {
    const fields = signAlipayFields(signer, { ...make(), ...over })
    const written = encodeAlipayForm(fields).toString()
    const bytes = (text: string | Buffer, good: boolean, how: string) => ({
      name: `${name}, ${how}`,
      sent: { headers: FORM_HEADERS, body: Buffer.from(text as string) },
      good,
    })
    return [
      bytes(written, true, 'as sent'),
      bytes(
        toAlipayWebhook(signAlipayFields(signer, { ...make(), ...over }))
          .body.toString()
          .replaceAll('+', '%20'),
        true,
        'spaces written as %20',
      ),
      bytes(written.replace(/%2B|%25|%E5/i, '%2520'), written.replace(/%2B|%25|%E5/i, '%2520') === written, 'decoded twice'),
      bytes(`﻿${written}`, false, 'a byte order mark'),
      bytes(Buffer.from(written, 'utf16le'), false, 'UTF-16'),
      bytes(gzipSync(Buffer.from(written)), false, 'packed'),
      bytes(`${written}&x=1`, false, 'a field more'),
      bytes(written.replace('total_amount=', 'total_amount=1'), false, 'a value changed'),
    ]
  })
}
