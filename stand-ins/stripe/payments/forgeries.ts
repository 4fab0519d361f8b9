import type { SentWebhook } from '../../kit/webhooks.ts'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import Stripe from 'stripe'

/** Uses the SDK's own test header generator, so that our verification is tested against independent code. */
const { webhooks } = new Stripe('sk_test_fake_only')

export function signStripeWebhook(secret: string, payload: string, timestamp: number): SentWebhook {
  const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' }, body: Buffer.from(payload) }
}

export function forgeStripeNotices(secret: string, at: number, about: Record<string, any>, other: Record<string, any>): Record<string, SentWebhook> {
  const text = JSON.stringify(about)
  const good = signStripeWebhook(secret, text, at)
  const signature = good.headers['stripe-signature']!
  const withSignature = (value: string): SentWebhook => ({ body: good.body, headers: { ...good.headers, 'stripe-signature': value } })
  const withBody = (changed: string | Buffer): SentWebhook => ({ headers: good.headers, body: Buffer.from(changed as string) })
  const resigned = (over: Record<string, unknown>) => signStripeWebhook(secret, JSON.stringify({ ...about, ...over }), at)
  const mac = (algorithm: string, key: string, payload: string) => createHmac(algorithm, key).update(payload).digest('hex')
  return {
    'no signature': { headers: { 'content-type': 'application/json' }, body: good.body },
    'empty signature': withSignature(''),
    'no time': withSignature(signature.replace(/t=\d+,/, '')),
    'no scheme': withSignature(signature.replace('v1=', '')),
    'the old scheme': withSignature(signature.replace('v1=', 'v0=')),
    'wrong secret': signStripeWebhook('whsec_another_endpoints_secret', text, at),
    'SHA-1': withSignature(`t=${at},v1=${mac('sha1', secret, `${at}.${text}`)}`),
    'without the time in it': withSignature(`t=${at},v1=${mac('sha256', secret, text)}`),
    'stale by 301 s': signStripeWebhook(secret, text, at - 301),
    'ahead by 302 s': signStripeWebhook(secret, text, at + 302),
    'time moved': withSignature(signature.replace(`t=${at}`, `t=${at + 1}`)),
    'time that is none': withSignature(signature.replace(`t=${at}`, 't=now')),
    'test event in live mode or the other way': resigned({ livemode: !about['livemode'] }),
    "a connected account's event": resigned({ account: 'acct_1032D82eZvKYlo2C' }),
    'no id': resigned({ id: undefined }),
    'tampered trade': withBody(text.replaceAll(about['data'].object.client_reference_id, other['data'].object.client_reference_id)),
    'tampered amount': withBody(text.replace(/"amount_total":\d+/, '"amount_total":1')),
    'tampered currency': withBody(text.replace(/"currency":"\w+"/, '"currency":"jpy"')),
    'cut body': withBody(good.body.subarray(0, -1)),
    'longer body': withBody(`${text} `),
    'empty body': withBody(''),
    'packed body': { headers: { ...good.headers, 'content-encoding': 'gzip' }, body: gzipSync(good.body) },
    'signature of another body': { headers: signStripeWebhook(secret, JSON.stringify(other), at).headers, body: good.body },
    'signed but not JSON': signStripeWebhook(secret, 'hello', at),
  }
}

/** Stripe signs the bytes. */
export function buildStripeVectors(secret: string, at: number, make: () => Record<string, unknown>): { name: string; sent: SentWebhook; good: boolean }[] {
  const shapes: Record<string, (event: Record<string, unknown>) => string> = {
    'plain': (event) => JSON.stringify(event),
    'spaced': (event) => JSON.stringify(event, null, 2),
    'unicode and signs': (event) => JSON.stringify({ ...event, note: '充值 +a%2Bb é 💴' }).replace('充', '\\u5145'),
    'a name twice': (event) => JSON.stringify(event).replace('{', '{"id":"evt_first",'),
    'a trailing newline': (event) => `${JSON.stringify(event)}\n`,
  }
  return Object.entries(shapes).flatMap(([name, write]) => {
    const text = write(make())
    const sent = signStripeWebhook(secret, text, at)
    const touched = (how: string, bytes: Buffer) => ({ name: `${name}, ${how}`, sent: { headers: sent.headers, body: bytes }, good: false })
    return [
      { name, sent, good: true },
      touched('written anew', Buffer.from(` ${JSON.stringify(JSON.parse(text))}`)),
      touched('a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), sent.body])),
      touched('line ends changed', Buffer.from(`${text}\r\n`)),
      touched('escapes resolved', Buffer.from(text.replace('"id"', '"\\u0069d"'))),
      touched('packed', gzipSync(sent.body)),
      touched('another charset', Buffer.from(text, 'utf16le')),
    ]
  })
}
