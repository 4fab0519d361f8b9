import { createHash, createHmac } from 'node:crypto'

/** Credentials and region of a signature. */
export interface S3Account {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
/** RFC 3986: escapes everything but letters, digits, `-_.~`. */
const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** 20130524T000000Z. */
export const formatAmzTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
export const formatS3Scope = ({ region }: S3Account, at: Date): string => `${formatAmzTime(at).slice(0, 8)}/${region}/s3/aws4_request`

/** Signature Version 4 of a string to sign. Source: docs.aws.amazon.com, "Signature Calculations"; its examples are tests here. */
export function computeS3Signature({ secretAccessKey, region }: S3Account, at: Date, toSign: string): string {
  const day = hmac(`AWS4${secretAccessKey}`, formatAmzTime(at).slice(0, 8))
  return hmac(hmac(hmac(hmac(day, region), 's3'), 'aws4_request'), toSign).toString('hex')
}

/** Presigned URL, valid for a given time without further headers; the body is not signed. */
export function presignS3Url(
  account: S3Account,
  method: 'GET' | 'PUT' | 'DELETE',
  { url, seconds, at }: { readonly url: URL; readonly seconds: number; readonly at: Date },
): string {
  const query: Record<string, string> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${account.accessKeyId}/${formatS3Scope(account, at)}`,
    'X-Amz-Date': formatAmzTime(at),
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  }
  const canonicalQuery = Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name]!)}`)
    .join('&')
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const canonical = [method, path, canonicalQuery, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', formatAmzTime(at), formatS3Scope(account, at), sha256(canonical)].join('\n')
  return `${url.origin}${path}?${canonicalQuery}&X-Amz-Signature=${computeS3Signature(account, at, toSign)}`
}

/** Form fields that upload one object: exactly this key, this type if given, at most this size, until the expiry. */
export function buildS3PostFields(
  account: S3Account,
  { bucket, key, type, least, most, expiresAt }: { bucket: string; key: string; type: string | undefined; least: number; most: number; expiresAt: Date },
  at: Date,
): Record<string, string> {
  const credential = `${account.accessKeyId}/${formatS3Scope(account, at)}`
  const policy = Buffer.from(
    JSON.stringify({
      expiration: expiresAt.toISOString(),
      conditions: [
        { bucket },
        ['eq', '$key', key],
        ...(type === undefined ? [] : [['eq', '$Content-Type', type]]),
        ['content-length-range', least, most],
        { 'x-amz-algorithm': 'AWS4-HMAC-SHA256' },
        { 'x-amz-credential': credential },
        { 'x-amz-date': formatAmzTime(at) },
      ],
    }),
  ).toString('base64')
  return {
    key,
    ...(type === undefined ? {} : { 'Content-Type': type }),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': credential,
    'x-amz-date': formatAmzTime(at),
    policy,
    'x-amz-signature': computeS3Signature(account, at, policy),
  }
}
