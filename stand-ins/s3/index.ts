import { createHash } from 'node:crypto'
import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { readS3Form } from './form.ts'
import { createS3Oracle } from './oracle.ts'
import { S3_ERRORS, S3_RULES } from './rules.ts'
import type { S3ErrorCode } from './rules.ts'
import { S3_KEY_ID, S3_REGION, refuseS3Signature, signS3Text } from './sign.ts'

export interface S3StandIn {
  readonly company: StandInServer
  /** Objects by path, `/bucket/key`. */
  readonly objects: Map<string, { readonly body: Buffer; readonly type: string }>
}
type Condition = Readonly<Record<string, string>> | readonly [string, string | number, string | number]

const fail = (code: S3ErrorCode, resource: string): StandInReply => ({
  status: S3_ERRORS[code].status,
  headers: { 'content-type': 'application/xml', 'x-amz-request-id': '4442587FB7D0A2F9' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${S3_ERRORS[code].message}</Message><Resource>${resource}</Resource><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
})
const md5 = (body: Buffer) => createHash('md5').update(body)

/** S3 with one bucket, path style (https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html). */
export async function startS3({ bucket, now = () => new Date() }: { bucket: string; now?: () => Date }): Promise<S3StandIn> {
  const objects: S3StandIn['objects'] = new Map()

  function put({ path, headers, bytes }: StandInRequest): StandInReply {
    if (headers['content-length'] === undefined) return fail('MissingContentLength', path)
    const sums = [
      [headers['content-md5'], md5(bytes).digest('base64')],
      [headers['x-amz-checksum-sha256'], createHash('sha256').update(bytes).digest('base64')],
    ]
    if (sums.some(([given, right]) => given !== undefined && given !== right)) return fail('BadDigest', path)
    if (Buffer.byteLength(decodeURIComponent(path.slice(bucket.length + 2))) > S3_RULES.key.most) return fail('KeyTooLongError', path)
    objects.set(path, { body: bytes, type: String(headers['content-type'] ?? 'binary/octet-stream') })
    return { status: 200, headers: { etag: `"${md5(bytes).digest('hex')}"` }, body: '' }
  }
  function get(path: string): StandInReply {
    const found = objects.get(path)
    if (!found) return fail('NoSuchKey', path)
    return { status: 200, headers: { 'etag': `"${md5(found.body).digest('hex')}"`, 'content-type': found.type }, body: found.body }
  }
  /** An upload from a form: the policy allows every field, the size and the time. */
  function post(request: StandInRequest): StandInReply {
    const { path } = request
    const form = readS3Form(request)
    if (!form?.file || form.order.at(-1) !== 'file') return fail('MalformedPOSTRequest', path)
    const { fields, file } = form
    const date = fields['x-amz-date'] ?? ''
    const scope = `${S3_KEY_ID}/${date.slice(0, 8)}/${S3_REGION}/s3/aws4_request`
    if (fields['x-amz-credential'] !== scope || fields['x-amz-algorithm'] !== 'AWS4-HMAC-SHA256') return fail('AccessDenied', path)
    if (fields['x-amz-signature'] !== signS3Text(date.slice(0, 8), fields['policy'] ?? '')) return fail('SignatureDoesNotMatch', path)
    const policy = JSON.parse(Buffer.from(fields['policy']!, 'base64').toString()) as { expiration: string; conditions: Condition[] }
    if (!(Date.parse(policy.expiration) > now().getTime())) return fail('AccessDenied', path)
    const allowed = new Set(['policy', 'x-amz-signature', 'file'])
    for (const condition of policy.conditions) {
      if (Array.isArray(condition) && condition[0] === 'content-length-range') {
        if (file.length < Number(condition[1])) return fail('EntityTooSmall', path)
        if (file.length > Number(condition[2])) return fail('EntityTooLarge', path)
        continue
      }
      const [kind, name, value] = Array.isArray(condition)
        ? [String(condition[0]), String(condition[1]).replace(/^\$/, ''), String(condition[2])]
        : ['eq', ...(Object.entries(condition)[0] as [string, string])]
      const given = name === 'bucket' ? path.slice(1) : (fields[name!] ?? '')
      if (kind === 'starts-with' ? !given.startsWith(value!) : given !== value) return fail('AccessDenied', path)
      allowed.add(name!)
    }
    if (form.order.some((name) => !allowed.has(name) && !name.startsWith('x-ignore-'))) return fail('AccessDenied', path)
    objects.set(`/${bucket}/${fields['key']!}`, { body: file, type: fields['Content-Type'] ?? 'binary/octet-stream' })
    return { status: 204, headers: { etag: `"${md5(file).digest('hex')}"` }, body: '' }
  }
  function answer(request: StandInRequest): StandInReply {
    const { method, path } = request
    if (path.split('/')[1] !== bucket) return fail('NoSuchBucket', path)
    if (method === 'POST' && path === `/${bucket}`) return post(request)
    const refused = refuseS3Signature(request, now())
    if (refused) return fail(refused, path)
    if (method === 'PUT') return put(request)
    if (method === 'GET') return get(path)
    if (method !== 'DELETE') return fail('MethodNotAllowed', path)
    objects.delete(path)
    return { status: 204, body: '' }
  }
  return { company: await startStandInServer(answer, { oracle: createS3Oracle() }), objects }
}
