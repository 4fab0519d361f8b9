import type { SentWebhook } from '../kit/webhooks.ts'
import { createSign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { buildWechatPayWebhook, signWechatPayHeaders } from './keys.ts'
import type { WechatPayKeys, StoredWechatPayNotice, Signer } from './keys.ts'

interface ForgeryContext {
  readonly keys: WechatPayKeys
  readonly signer: Signer
  readonly apiV3Key: string
  readonly now: Date
}

/** Forged webhooks: sent without the platform's key, and the platform's own probes with a bad signature. */
export function forgeWechatPayNotices(
  { keys, signer, apiV3Key, now }: ForgeryContext,
  about: StoredWechatPayNotice,
  other: StoredWechatPayNotice,
): Record<string, SentWebhook> {
  const good = buildWechatPayWebhook(signer, apiV3Key, about, now)
  const { headers, body } = good
  const text = body.toString('utf8')
  const without = (name: string): SentWebhook => ({ body, headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)) })
  const withHeader = (name: string, value: string): SentWebhook => ({ body, headers: { ...headers, [name]: value } })
  const withBody = (changed: string | Buffer): SentWebhook => ({ headers, body: Buffer.from(changed as string) })
  const resigned = (changed: string): SentWebhook => ({ headers: signWechatPayHeaders(signer, changed, now), body: Buffer.from(changed) })
  const plain = (over: Record<string, unknown>) => buildWechatPayWebhook(signer, apiV3Key, { ...about, plain: { ...about.plain, ...over } }, now)
  const outer = JSON.parse(text) as { resource: Record<string, string> }
  const resource = (over: Record<string, string>) => resigned(JSON.stringify({ ...outer, resource: { ...outer.resource, ...over } }))
  const seconds = Math.floor(now.getTime() / 1000)
  return {
    'no headers': { headers: { 'content-type': 'application/json' }, body },
    'no signature': without('wechatpay-signature'),
    'no serial': without('wechatpay-serial'),
    'no time': without('wechatpay-timestamp'),
    'no nonce': without('wechatpay-nonce'),
    'probe signature': withHeader('wechatpay-signature', `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}`),
    'empty signature': withHeader('wechatpay-signature', ''),
    'signature cut': withHeader('wechatpay-signature', headers['wechatpay-signature']!.slice(0, -8)),
    'wrong key': { body, headers: signWechatPayHeaders(signer, text, now, { key: keys.stranger }) },
    "the merchant's own key": { body, headers: signWechatPayHeaders(signer, text, now, { key: keys.merchant.privateKey }) },
    'unknown serial': withHeader('wechatpay-serial', '00112233445566778899AABBCCDDEEFF00112233'),
    'serial of the other key': withHeader('wechatpay-serial', keys.signers.find((each) => each !== signer)!.serial),
    'another algorithm': withHeader('wechatpay-signature-type', 'WECHATPAY2-SM2-WITH-SM3'),
    'SHA-1': withHeader(
      'wechatpay-signature',
      createSign('RSA-SHA1').update(`${headers['wechatpay-timestamp']}\n${headers['wechatpay-nonce']}\n${text}\n`).sign(signer.privateKey, 'base64'),
    ),
    'stale by 301 s': { body, headers: signWechatPayHeaders(signer, text, now, { time: seconds - 301 }) },
    'ahead by 302 s': { body, headers: signWechatPayHeaders(signer, text, now, { time: seconds + 302 }) },
    'time moved': withHeader('wechatpay-timestamp', String(Number(headers['wechatpay-timestamp']) + 1)),
    'nonce changed': withHeader('wechatpay-nonce', 'x'.repeat(32)),
    'cut body': withBody(body.subarray(0, -1)),
    'longer body': withBody(`${text} `),
    'empty body': withBody(''),
    'packed body': { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) },
    'body of another notice': { headers, body: buildWechatPayWebhook(signer, apiV3Key, other, now).body },
    'another API v3 key': buildWechatPayWebhook(signer, 'f'.repeat(32), about, now),
    'ciphertext changed': resource({ ciphertext: outer.resource['ciphertext']!.replace(/^..../, 'AAAA') }),
    'associated data changed': resource({ associated_data: 'refund' }),
    'nonce of the cipher changed': resource({ nonce: '000000000000' }),
    'another cipher': resource({ algorithm: 'AEAD_AES_128_GCM' }),
    'no resource': resigned(JSON.stringify({ id: 'x', event_type: about.type })),
    'signed but not JSON': resigned('hello'),
    'another merchant': plain({ mchid: '1900000110' }),
    'another application': plain({ appid: 'wx9999999999999999' }),
    'no trade number': plain({ out_trade_no: '' }),
  }
}

/** Test vectors of signed bytes: the signature covers the exact bytes, which are parsed only after verification. */
export function buildWechatPayVectors(
  { signer, apiV3Key, now }: Omit<ForgeryContext, 'keys'>,
  about: StoredWechatPayNotice,
): { name: string; sent: SentWebhook; good: boolean }[] {
  const make = (write: (text: string) => string): SentWebhook => {
    const body = write(buildWechatPayWebhook(signer, apiV3Key, about, now).body.toString('utf8'))
    return { headers: signWechatPayHeaders(signer, body, now), body: Buffer.from(body) }
  }
  const shapes: Record<string, (text: string) => string> = {
    'plain': (text) => text,
    'spaced': (text) => JSON.stringify(JSON.parse(text), null, 2),
    'unicode and signs': (text) => text.replace('支付成功', '充值 +a%2Bb \\u5145 é 💴'),
    'a name twice': (text) => text.replace('{', '{"id":"first",'),
    'escaped slashes': (text) => text.replaceAll('/', '\\/'),
    'a trailing newline': (text) => `${text}\n`,
  }
  return Object.entries(shapes).flatMap(([name, write]) => {
    const sent = make(write)
    const text = sent.body.toString('utf8')
    const touched = (how: string, bytes: Buffer) => ({ name: `${name}, ${how}`, sent: { headers: sent.headers, body: bytes }, good: false })
    return [
      { name, sent, good: true },
      touched('written anew', Buffer.from(` ${JSON.stringify(JSON.parse(text))}`)),
      touched('a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), sent.body])),
      touched('line ends changed', Buffer.from(`${text}\r\n`)),
      touched('escapes resolved', Buffer.from(text.replace('"id"', '"\\u0069d"'))),
      touched('packed', gzipSync(sent.body)),
      touched('another charset', Buffer.from(`${text} `, 'utf16le')),
    ]
  })
}
