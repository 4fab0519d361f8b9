import { z } from 'zod'
import type { UploadStore, StoreTools, StoreVendor } from '../port.ts'
import {
  lostCallError,
  unreadableError,
  mapCodes,
  findCodeError,
  failedReplyError,
  type SupplierError,
  type VendorCodes,
} from '#platform/shared/suppliers/supplier-error.ts'
import { buildS3PostFields, presignS3Url } from './sign.ts'

/** Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, "List of error codes". Other codes are read by their HTTP status. */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'too_large' }, 'EntityTooLarge', 'KeyTooLongError'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'SlowDown', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'),
  ...mapCodes(
    { kind: 'retryable', reason: 'our_account', ours: true },
    ...['AccessDenied', 'AccountProblem', 'AllAccessDisabled', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'],
    ...['RequestTimeTooSkewed', 'NoSuchBucket', 'PermanentRedirect', 'QuotaExceeded', 'AuthorizationQueryParametersError'],
  ),
}

/** The response is XML with one `Code`; no other part of it is repeated. */
function toS3Error(status: number, body: string, writes: boolean): SupplierError {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(body)?.[1] ?? ''
  return findCodeError(CODES, code, `s3 ${status} ${code}`) ?? failedReplyError({ status, said: code ? `s3 ${code}` : 's3', writes })
}

const env = {
  /** S3 or anything that speaks it: https://s3.eu-central-1.amazonaws.com. Absent: a folder of this machine keeps the pictures. */
  IDENTITY_S3_ENDPOINT: z.url().optional(),
  /** A private bucket, with one rule of its own: objects below `quarantine/` end after a day. */
  IDENTITY_S3_BUCKET: z.string().optional(),
  /** Of the endpoint; `us-east-1` where it has none. */
  IDENTITY_S3_REGION: z.string().default('us-east-1'),
  /** May put, get and delete in that bucket, nothing else. */
  IDENTITY_S3_KEY_ID: z.string().optional(),
  /** Belongs to IDENTITY_S3_KEY_ID. */
  IDENTITY_S3_SECRET: z.string().optional(),
} as const
const shape = z.object(env)
/** Of addresses that only this server uses. */
const OWN_URL_SECONDS = 60
const TIMEOUT_MS = 20_000
type Method = 'GET' | 'PUT' | 'DELETE'

/** Any store that speaks S3, path style. Browsers upload straight to it; only this server reads. docs/vendors/s3.md */
export const s3: StoreVendor = {
  name: 's3',
  env,
  connect: (config) => {
    const read = shape.parse(Object.fromEntries(Object.keys(env).map((name) => [name, config[name]])))
    const { IDENTITY_S3_ENDPOINT: endpoint, IDENTITY_S3_BUCKET: bucket, IDENTITY_S3_KEY_ID: accessKeyId, IDENTITY_S3_SECRET: secretAccessKey } = read
    const needed = { IDENTITY_S3_ENDPOINT: endpoint, IDENTITY_S3_BUCKET: bucket, IDENTITY_S3_KEY_ID: accessKeyId, IDENTITY_S3_SECRET: secretAccessKey }
    const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]))
    if (missing.length === Object.keys(needed).length) return undefined
    if (missing.length) throw new Error(`S3 also needs ${missing.join(', ')}`)
    return createS3Store(new URL(endpoint!), bucket!, { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey!, region: read.IDENTITY_S3_REGION })
  },
}

function createS3Store(endpoint: URL, bucket: string, account: { accessKeyId: string; secretAccessKey: string; region: string }): UploadStore {
  const at = (room: 'quarantine' | 'sealed', id: string) => new URL(`/${bucket}/${room}/${id}`, endpoint)
  const writes = (method: Method) => method !== 'GET'
  const ask = async (tools: StoreTools, method: Method, { url, body }: { readonly url: URL; readonly body?: Buffer }): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const wanted = { method, redirect: 'error' as const, signal, ...(body ? { body: new Uint8Array(body) } : {}) }
    const reply = await tools.fetch(presignS3Url(account, method, { url, seconds: OWN_URL_SECONDS, at: tools.now() }), wanted).catch((error: unknown) => {
      throw lostCallError(error, { writes: writes(method), timedOut: signal.aborted })
    })
    if (reply.ok) return reply
    const said = await reply.text().catch(() => '')
    // A missing object is an answer; a missing bucket is a mistake in our settings.
    if (reply.status === 404 && !said.includes('<Code>NoSuchBucket</Code>')) return reply
    throw toS3Error(reply.status, said, writes(method))
  }
  const read = async (tools: StoreTools, url: URL, most: number): Promise<Buffer | undefined> => {
    const reply = await ask(tools, 'GET', { url })
    if (reply.status === 404) return undefined
    if (!reply.headers.get('etag')) throw unreadableError(false, `s3 ${reply.status} to a reading`)
    if (Number(reply.headers.get('content-length') ?? 0) > most) {
      await reply.body?.cancel()
      return undefined
    }
    const bytes = await reply.arrayBuffer().then(Buffer.from, (error: unknown) => {
      throw lostCallError(error, { writes: false })
    })
    return bytes.length > most ? undefined : bytes
  }
  const drop = async (tools: StoreTools, url: URL): Promise<void> => {
    const { status } = await ask(tools, 'DELETE', { url })
    // Success is 204, or 404 if there was no object; a proxy's page in between is neither
    if (status !== 204 && status !== 404) throw unreadableError(true, `s3 ${status} to a deletion`)
  }
  const put = async (tools: StoreTools, url: URL, sealed: Buffer): Promise<void> => {
    const { status, headers } = await ask(tools, 'PUT', { url, body: sealed })
    if (status !== 200 || !headers.get('etag')) throw unreadableError(true, `s3 ${status} to a writing`)
  }
  return {
    origins: [endpoint.origin],
    allow: (tools, { id, type, least, most, expiresAt }) => ({
      url: new URL(`/${bucket}`, endpoint).href,
      fields: buildS3PostFields(account, { bucket, key: `quarantine/${id}`, type, least, most, expiresAt }, tools.now()),
    }),
    takeOut: (tools, id, most) => read(tools, at('quarantine', id), most),
    dropUpload: (tools, id) => drop(tools, at('quarantine', id)),
    put: (tools, id, sealed) => put(tools, at('sealed', id), sealed),
    get: (tools, id) => read(tools, at('sealed', id), Number.MAX_SAFE_INTEGER),
    drop: (tools, id) => drop(tools, at('sealed', id)),
  }
}
