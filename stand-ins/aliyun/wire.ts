import { createHash, createHmac } from 'node:crypto'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { ALIYUN_CALL_RULES, ALIYUN_ERRORS } from './rules.ts'
import type { AliyunErrorCode } from './rules.ts'

export const ALIYUN_KEY_ID = 'LTAI-test'
export const ALIYUN_KEY_SECRET = 'the secret of the access key'
export const ALIYUN_REQUEST_ID = '9D4A2F1E-7B1C-5C7E-9A52-3D1E7F1B0C11'

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
/** RFC 3986. */
const escape = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const canonicalQuery = (query: URLSearchParams) =>
  [...query]
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .sort()
    .join('&')

export const toAliyunJson = (status: number, value: object): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
export function toAliyunError(code: AliyunErrorCode): StandInReply {
  const { status, message } = ALIYUN_ERRORS[code]
  const gateway = status === 200 ? {} : { HostId: 'dysmsapi.aliyuncs.com', Recommend: `https://api.aliyun.com/troubleshoot?q=${code}` }
  return toAliyunJson(status, { RequestId: ALIYUN_REQUEST_ID, ...gateway, Code: code, Message: message })
}

/** Verifies the V3 signature of a request as it arrived; undefined if it is valid. Source: `ALIYUN_CALL_RULES.signature`. */
export function refuseAliyunSignature({ method, path, query, headers, bytes }: StandInRequest, nonces: Set<string>, now: Date): AliyunErrorCode | undefined {
  const header = (name: string) => String(headers[name] ?? '').trim()
  const [, keyId, signed, signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(header('authorization')) ?? []
  if (keyId === undefined || signed === undefined) return 'SignatureDoesNotMatch'
  if (keyId !== ALIYUN_KEY_ID) return 'InvalidAccessKeyId.NotFound'
  const names = signed.split(';')
  if (!ALIYUN_CALL_RULES.signedHeaders.value.every((name) => names.includes(name))) return 'SignatureDoesNotMatch'
  if (header('x-acs-content-sha256') !== sha256(bytes)) return 'SignatureDoesNotMatch'
  const lines = names.map((name) => `${name}:${header(name)}\n`).join('')
  const canonical = [method, path, canonicalQuery(query), lines, signed, sha256(bytes)].join('\n')
  const right = createHmac('sha256', ALIYUN_KEY_SECRET)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  if (signature !== right) return 'SignatureDoesNotMatch'
  const date = header('x-acs-date')
  const isRecent = Math.abs(Date.parse(date) - now.getTime()) <= ALIYUN_CALL_RULES.skewMinutes.value * 60_000
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date) || !isRecent) return 'InvalidTimeStamp.Expired'
  const nonce = header('x-acs-signature-nonce')
  if (nonce === '' || nonces.has(nonce)) return 'SignatureNonceUsed'
  nonces.add(nonce)
  return undefined
}
