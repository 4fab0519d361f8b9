import { createHash, createHmac } from 'node:crypto'
import type { StandInRequest } from '../kit/server.ts'
import { S3_RULES } from './rules.ts'
import type { S3ErrorCode } from './rules.ts'

export const S3_KEY_ID = 'papers-key'
export const S3_SECRET = 'papers-secret-of-a-test'
export const S3_REGION = 'cn-test-1'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const escape = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Signature Version 4. Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html. */
export function signS3Text(day: string, text: string): string {
  const key = [S3_REGION, 's3', 'aws4_request'].reduce((at, part) => hmac(at, part), hmac(`AWS4${S3_SECRET}`, day))
  return hmac(key, text).toString('hex')
}

/** `20130524T000000Z` in milliseconds; NaN if it is none. */
function parseAmzDate(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  const [year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, number, number, number]
  return parts.length ? Date.UTC(year, month - 1, day, hour, minute, second) : Number.NaN
}

/** Signature of a request over its canonical form, with the headers that it names. */
function signRequest({ method, path, headers }: StandInRequest, query: URLSearchParams, signed: { date: string; names: string; payload: string }): string {
  const canonicalPath = path
    .split('/')
    .map((part) => escape(decodeURIComponent(part)))
    .join('/')
  const canonicalQuery = [...query]
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .sort()
    .join('&')
  const lines = signed.names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const canonical = [method, canonicalPath, canonicalQuery, lines.join(''), signed.names, signed.payload].join('\n')
  const day = signed.date.slice(0, 8)
  return signS3Text(day, ['AWS4-HMAC-SHA256', signed.date, `${day}/${S3_REGION}/s3/aws4_request`, sha256(canonical)].join('\n'))
}

function refuseScope(credential: string, date: string, malformed: S3ErrorCode): S3ErrorCode | undefined {
  const [keyId, day, region, service, end] = credential.split('/')
  if (day !== date.slice(0, 8) || region !== S3_REGION || service !== 's3' || end !== 'aws4_request') return malformed
  return keyId === S3_KEY_ID ? undefined : 'InvalidAccessKeyId'
}
/** `host` and all x-amz- headers must be signed. */
const areHeadersSigned = ({ headers }: StandInRequest, names: string) =>
  ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))].every((name) => names.split(';').includes(name))

/** A presigned URL. */
function refusePresigned(request: StandInRequest, now: Date): S3ErrorCode | undefined {
  const { query } = request
  const [algorithm, credential, date, expires, names] = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders'].map(
    (name) => query.get(`X-Amz-${name}`) ?? '',
  ) as [...[string, string, string, string, string]]
  const [from, seconds] = [parseAmzDate(date), Number(expires)]
  const isInRange = /^\d+$/.test(expires) && seconds >= S3_RULES.expires.least && seconds <= S3_RULES.expires.most
  if (algorithm !== 'AWS4-HMAC-SHA256' || Number.isNaN(from) || !isInRange || !names) return 'AuthorizationQueryParametersError'
  const scope = refuseScope(credential, date, 'AuthorizationQueryParametersError')
  if (scope) return scope
  if (now.getTime() > from + seconds * 1000 || from - now.getTime() > S3_RULES.skewMinutes.most * 60_000) return 'AccessDenied'
  const rest = new URLSearchParams(query)
  rest.delete('X-Amz-Signature')
  const right = signRequest(request, rest, { date, names, payload: 'UNSIGNED-PAYLOAD' })
  return areHeadersSigned(request, names) && query.get('X-Amz-Signature') === right ? undefined : 'SignatureDoesNotMatch'
}

/** A request with an Authorization header. */
function refuseHeaders(request: StandInRequest, now: Date): S3ErrorCode | undefined {
  const { headers, query, bytes } = request
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, credential, names, signature] = form.exec(String(headers.authorization)) ?? []
  const [date, payload] = [String(headers['x-amz-date']), String(headers['x-amz-content-sha256'] ?? '')]
  if (!credential || !names || !payload) return 'AuthorizationHeaderMalformed'
  if (!(Math.abs(parseAmzDate(date) - now.getTime()) <= S3_RULES.skewMinutes.most * 60_000)) return 'RequestTimeTooSkewed'
  const scope = refuseScope(credential, date, 'AuthorizationHeaderMalformed')
  if (scope) return scope
  if (!areHeadersSigned(request, names) || signature !== signRequest(request, query, { date, names, payload })) return 'SignatureDoesNotMatch'
  return payload === 'UNSIGNED-PAYLOAD' || payload === sha256(bytes) ? undefined : 'XAmzContentSHA256Mismatch'
}

/** Verifies the signature of a request as it arrived; undefined if it is valid. */
export function refuseS3Signature(request: StandInRequest, now: Date): S3ErrorCode | undefined {
  if (request.query.has('X-Amz-Signature')) return refusePresigned(request, now)
  return request.headers.authorization === undefined ? 'AccessDenied' : refuseHeaders(request, now)
}
