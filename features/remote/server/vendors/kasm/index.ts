import { type RemoteSupplierVendor, NO_PLACE_REASON, type RemoteSupplier } from '../port.ts'
import { kasmEnv, type KasmAccess } from './config.ts'
import { connectKasmPublicApi } from './public-api.ts'
import { failedReplyError, asSupplierError, retryableError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import { z } from 'zod'
import { sendOutgoingRequest, type OutgoingReply } from '#platform/server/http/http-client.ts'

const DEADLINE_MS = 20_000

/** A problem of RFC 9457. */
const problem = z.object({ type: z.string().optional(), title: z.string().optional(), detail: z.string().optional() })
const createdReply = z.object({ session_id: z.string().min(1), connect_url: z.string().min(1) })
const status = z.object({ operational_status: z.string(), desired_state: z.string().optional() })

/**
 * Kasm's API of 1.19 and later: HTTP Basic, `/api/session/sessions`. A session without a `user_id` gets its own anonymous user, and its
 * `Idempotency-Key` replays that user, session and token, so a lost response or the session's address can be requested again.
 */
function connectKasmSessionApi({ url, key, secret, image }: KasmAccess, fetch: typeof globalThis.fetch): RemoteSupplier {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, more: { body?: object; key?: string } = {}) =>
    sendOutgoingRequest(fetch, {
      method,
      url: `${url}/api/session/sessions${path}`,
      deadlineMs: DEADLINE_MS,
      headers: {
        authorization,
        accept: 'application/json',
        ...(more.body ? { 'content-type': 'application/json' } : {}),
        ...(more.key ? { 'idempotency-key': more.key } : {}),
      },
      ...(more.body ? { body: JSON.stringify(more.body) } : {}),
    })
  const create = async (of: string) => createdReply.parse(answerOf(await call('POST', '', { body: { image_id: image }, key: of }), [200, 201, 202]))
  return {
    name: 'kasm',
    start: async (of) => ({ ref: (await create(of)).session_id }),
    // Kasm has no lookup by key: a repeated create replays the session, or creates one, which is ended like any other
    find: async (of) =>
      create(of).then(
        ({ session_id: ref }) => ({ ref }),
        (error: unknown) => (asSupplierError(error).reason === NO_PLACE_REASON ? undefined : Promise.reject(error as Error)),
      ),
    look: async (ref) => {
      const reply = await call('GET', `/${ref}/status`)
      if (reply.status === 404) return 'gone'
      const { operational_status: is, desired_state: meant } = status.parse(answerOf(reply, [200], false))
      if (meant?.toUpperCase() === 'DELETED' || /^(deleted|deleting|stopped|stopping|error|failed)$/i.test(is)) return 'gone'
      return /^running$/i.test(is) ? 'running' : 'starting'
    },
    enter: async (of) => new URL((await create(of)).connect_url, url).href,
    keepAlive: async (ref) => void answerOf(await call('POST', `/${ref}/keepalives`), [200, 202, 204, 404]),
    end: async (_of, ref) => void (ref === undefined || answerOf(await call('DELETE', `/${ref}`), [200, 202, 204, 404])),
  }
}

/** A problem of RFC 9457 with 4xx is a definite refusal, except for 408, 409 and 429. */
function answerOf({ status: code, body, header }: OutgoingReply, good: readonly number[], writes = true): unknown {
  const text = body.toString('utf8')
  const json: unknown = text === '' ? {} : parseReply(text, good.includes(code), writes)
  if (good.includes(code)) return json
  const told = problem.safeParse(json)
  const why = (told.success && (told.data.type ?? told.data.title)) || String(code)
  if (/no-resources/.test(why)) throw retryableError(NO_PLACE_REASON, why)
  const isRefusal = told.success && code >= 400 && code < 500 && ![408, 409, 429].includes(code)
  const refused = code === 401 || code === 403 ? 'our_account' : isRefusal ? 'refused' : undefined
  throw failedReplyError({ status: code, said: why.slice(0, 100), writes, retryAfter: header('retry-after'), ...(refused ? { refused } : {}) })
}

function parseReply(text: string, isGood: boolean, writes: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (isGood) throw unreadableError(writes, 'kasm answered something that is not JSON')
    return undefined
  }
}

/** Kasm Workspaces, with either of its APIs. docs/vendors/kasm.md */
export const kasm: RemoteSupplierVendor = {
  name: 'kasm',
  env: kasmEnv,
  connect: (config, { fetch }) => {
    const { KASM_URL: url, KASM_KEY: key, KASM_SECRET: secret, KASM_IMAGE: image, KASM_API: api } = config as Readonly<Record<string, string | undefined>>
    if (!url || !key || !secret || !image) return undefined
    const access = { url: url.replace(/\/$/, ''), key, secret, image }
    return api === 'public' ? connectKasmPublicApi(access, fetch) : connectKasmSessionApi(access, fetch)
  },
}
