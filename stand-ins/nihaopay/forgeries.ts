import type { SentWebhook } from '../kit/webhooks.ts'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

type Fields = Readonly<Record<string, string>>
const hash = (text: string, algorithm = 'md5') => createHash(algorithm).update(text).digest('hex')
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

/** The documented rule: names in ascending order, null omitted, the MD5 of the token at the end. */
export function signNihaopayFields(token: string, fields: Fields, algorithm = 'md5'): Record<string, string> {
  const names = Object.keys(fields).filter((name) => fields[name] !== 'null' && fields[name] !== '')
  return {
    ...fields,
    verify_sign: hash(
      `${names
        .toSorted()
        .map((name) => `${name}=${fields[name]}`)
        .join('&')}&${hash(token, algorithm)}`,
      algorithm,
    ),
  }
}
export const toNihaopayWebhook = (fields: Fields): SentWebhook => ({ headers: HEADERS, body: Buffer.from(new URLSearchParams(fields).toString()) })

export function forgeNihaopayNotices(token: string, about: Fields, other: Fields): Record<string, SentWebhook> {
  const good = signNihaopayFields(token, about)
  const body = toNihaopayWebhook(good).body
  const changed = (over: Fields) => toNihaopayWebhook({ ...good, ...over })
  const raw = (bytes: Buffer, headers = {}): SentWebhook => ({ headers: { ...HEADERS, ...headers }, body: bytes })
  return {
    'no signature': toNihaopayWebhook(about),
    'empty signature': changed({ verify_sign: '' }),
    'wrong token': toNihaopayWebhook(signNihaopayFields('another-merchants-token-0000000000', about)),
    'without a token': toNihaopayWebhook(signNihaopayFields('', about)),
    'SHA-1': toNihaopayWebhook(signNihaopayFields(token, about, 'sha1')),
    'SHA-256': toNihaopayWebhook(signNihaopayFields(token, about, 'sha256')),
    'signature of another notice': changed({ verify_sign: signNihaopayFields(token, other)['verify_sign']! }),
    'tampered amount': changed({ amount: '1' }),
    'tampered currency': changed({ currency: 'JPY' }),
    'tampered trade': changed({ reference: other['reference']! }),
    'tampered state': changed({ status: 'pending' }),
    'tampered id': changed({ id: '20260000000000000000' }),
    'a field more': changed({ extra: '1' }),
    'a field less': toNihaopayWebhook(Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'time'))),
    'a name twice': raw(Buffer.concat([body, Buffer.from('&amount=1')])),
    'no reference': toNihaopayWebhook(signNihaopayFields(token, { ...about, reference: '' })),
    'no id': toNihaopayWebhook(signNihaopayFields(token, { ...about, id: '' })),
    'a reference that is not ours': toNihaopayWebhook(signNihaopayFields(token, { ...about, reference: '../../admin' })),
    'cut body': raw(body.subarray(0, -2)),
    'empty body': raw(Buffer.alloc(0)),
    'packed body': raw(gzipSync(body), { 'content-encoding': 'gzip' }),
    'JSON instead of a form': raw(Buffer.from(JSON.stringify(good))),
  }
}

/** The vendor signs values, not bytes. */
export function buildNihaopayVectors(token: string, make: () => Fields): { name: string; sent: SentWebhook; good: boolean }[] {
  const values: Record<string, Fields> = {
    'plain': {},
    'signs of a form': { note: 'a+b %2B & c=d; 100%' },
    'unicode': { note: '充值 é 💴' },
    'JSON inside': { sys_reserve: '{"vendor_id":"4200000117201806013734875340"}' },
    'nothing said': { note: 'null' },
    'more names': { Zed: '1', _low: '2', a_b: '3', aB: '4' },
  }
  return Object.entries(values).flatMap(([name, over]) => {
    const written = toNihaopayWebhook(signNihaopayFields(token, { ...make(), ...over })).body.toString()
    const again = toNihaopayWebhook(signNihaopayFields(token, { ...make(), ...over })).body.toString()
    const bytes = (text: string | Buffer, good: boolean, how: string) => ({
      name: `${name}, ${how}`,
      sent: { headers: HEADERS, body: Buffer.from(text as string) },
      good,
    })
    return [
      bytes(written, true, 'as sent'),
      bytes(
        again.replace(/verify_sign=(\w+)/, (_, sign: string) => `verify_sign=${sign.toUpperCase()}`),
        true,
        'signature in capitals',
      ),
      bytes(written.replaceAll('+', '%20'), true, 'spaces written as %20'),
      bytes(`﻿${written}`, false, 'a byte order mark'),
      bytes(Buffer.from(written, 'utf16le'), false, 'UTF-16'),
      bytes(gzipSync(Buffer.from(written)), false, 'packed'),
      bytes(`${written}&x=1`, false, 'a field more'),
      bytes(written.replace('amount=', 'amount=1'), false, 'a value changed'),
    ]
  })
}
