import { createHash, createHmac } from 'node:crypto'

/** One call of an Alibaba Cloud RPC interface; parameters travel in the query, the body is empty. */
export interface Acs3Call {
  readonly host: string
  readonly action: string
  readonly version: string
  readonly query: Readonly<Record<string, string>>
  readonly accessKeyId: string
  readonly accessKeySecret: string
  /** Random for each call: the vendor rejects a repeated one. */
  readonly nonce: string
  readonly now: Date
}

const hashHex = (text: string) => createHash('sha256').update(text).digest('hex')

/** RFC 3986: escapes everything but letters, digits and `-_.~`. */
const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Builds the query as it is signed: sorted by name. Send it unchanged. */
export function formatAcs3Query(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name]!)}`)
    .join('&')
}

/**
 * Headers of a POST to `/`, signed with ACS3-HMAC-SHA256.
 * Source: help.aliyun.com "V3 request structure and signature"; its published example is a test here.
 */
export function signAcs3Headers(call: Acs3Call): Record<string, string> {
  const emptyBody = hashHex('')
  const headers: Record<string, string> = {
    'host': call.host,
    'x-acs-action': call.action,
    'x-acs-content-sha256': emptyBody,
    'x-acs-date': call.now.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': call.nonce,
    'x-acs-version': call.version,
  }
  const names = Object.keys(headers).sort()
  const signed = names.join(';')
  const canonical = ['POST', '/', formatAcs3Query(call.query), ...names.map((name) => `${name}:${headers[name]!.trim()}`), '', signed, emptyBody].join('\n')
  const signature = createHmac('sha256', call.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${hashHex(canonical)}`)
    .digest('hex')
  return { ...headers, authorization: `ACS3-HMAC-SHA256 Credential=${call.accessKeyId},SignedHeaders=${signed},Signature=${signature}` }
}
