import { z } from 'zod'
import type { Store, StoreTools, StoreVendor } from '../port.ts'
import { postFields, presign } from './sign.ts'

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
const OWN_SECONDS = 60
const TIMEOUT_MS = 20_000

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
    return s3Store(new URL(endpoint!), bucket!, { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey!, region: read.IDENTITY_S3_REGION })
  },
}

function s3Store(endpoint: URL, bucket: string, account: { accessKeyId: string; secretAccessKey: string; region: string }): Store {
  const at = (room: 'quarantine' | 'sealed', id: string) => new URL(`/${bucket}/${room}/${id}`, endpoint)
  const ask = async (tools: StoreTools, method: 'GET' | 'PUT' | 'DELETE', url: URL, body?: Buffer): Promise<Response> =>
    tools.fetch(presign(account, method, url, OWN_SECONDS, tools.now()), {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
  const must = async (answer: Promise<Response>, what: string): Promise<Response> => {
    const reply = await answer
    if (!reply.ok && reply.status !== 404) throw new Error(`the store answered ${reply.status} to ${what}`)
    return reply
  }
  const read = async (tools: StoreTools, url: URL, most: number): Promise<Buffer | undefined> => {
    const reply = await must(ask(tools, 'GET', url), 'a reading')
    if (reply.status === 404 || Number(reply.headers.get('content-length') ?? 0) > most) {
      await reply.body?.cancel()
      return undefined
    }
    const bytes = Buffer.from(await reply.arrayBuffer())
    return bytes.length > most ? undefined : bytes
  }
  const drop = async (tools: StoreTools, url: URL) => void (await must(ask(tools, 'DELETE', url), 'a deletion'))
  return {
    origins: [endpoint.origin],
    allow: (tools, { id, type, least, most, expiresAt }) => ({
      url: new URL(`/${bucket}`, endpoint).href,
      fields: postFields(account, { bucket, key: `quarantine/${id}`, type, least, most, expiresAt }, tools.now()),
    }),
    takeOut: (tools, id, most) => read(tools, at('quarantine', id), most),
    dropUpload: (tools, id) => drop(tools, at('quarantine', id)),
    put: async (tools, id, sealed) => void (await must(ask(tools, 'PUT', at('sealed', id), sealed), 'a writing')),
    get: (tools, id) => read(tools, at('sealed', id), Number.MAX_SAFE_INTEGER),
    drop: (tools, id) => drop(tools, at('sealed', id)),
  }
}
