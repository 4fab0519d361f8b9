import { failedReplyError, rejectedError, retryableError, unknownError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { NO_PLACE_REASON } from '../port.ts'
import type { RemoteSupplier, StartedRemoteSession } from '../port.ts'
import type { KasmAccess } from './config.ts'

const DEADLINE_MS = 30_000

const withError = z.object({ error_message: z.string().optional() })
const session = z.object({ kasm_id: z.string(), start_date: z.string().nullish() })
const user = z.object({ user: z.object({ user_id: z.string().min(1), kasms: z.array(session).nullish() }) })
const startReply = z.object({ kasm_id: z.string().min(1) })
const statusReply = z.object({
  kasm_url: z.string().optional(),
  operational_status: z.string().optional(),
  kasm: z.object({ operational_status: z.string().optional() }).nullish(),
})

/** Patterns of error messages that mean a refusal. */
const FULL_WORDS = /no (agent|resource|slot|server)s?\b/i
const DENIED_WORDS = /license|not authorized|unauthorized|access denied|invalid (api|image)|limit/i
const GONE_WORDS = /not found|no such|invalid kasm|does ?n.t exist|could not find|unable to find/i

/**
 * Kasm's older API: every call is a POST below /api/public with key and secret in its body, and a failure
 * is 200 with `error_message`. Requests have no idempotency key, so each session gets its own user, named
 * after the key: a session whose response was lost is found at that user and is deleted with it.
 */
export function connectKasmPublicApi({ url, key, secret, image }: KasmAccess, fetch: typeof globalThis.fetch): RemoteSupplier {
  const call = async (verb: string, body: object): Promise<{ json: unknown; error: string }> => {
    const writes = !verb.startsWith('get_')
    const reply = await sendOutgoingRequest(fetch, {
      method: 'POST',
      writes,
      url: `${url}/api/public/${verb}`,
      deadlineMs: DEADLINE_MS,
      headers: { 'content-type': 'application/json', 'accept': 'application/json' },
      body: JSON.stringify({ api_key: key, api_key_secret: secret, ...body }),
    })
    const { status } = reply
    const refused = status === 401 || status === 403 ? { refused: 'our_account' } : {}
    if (status !== 200) throw failedReplyError({ status, writes, retryAfter: reply.header('retry-after'), ...refused })
    const json = parseReplyJson(reply.body.toString('utf8') || '{}', writes)
    return { json, error: withError.safeParse(json).data?.error_message ?? '' }
  }
  const sure = ({ json, error }: { json: unknown; error: string }): unknown => {
    if (!error) return json
    if (FULL_WORDS.test(error)) throw retryableError(NO_PLACE_REASON, error.slice(0, 100))
    if (DENIED_WORDS.test(error)) throw rejectedError('refused', error.slice(0, 100))
    throw unknownError('supplier_fault', `kasm: ${error.slice(0, 100)}`)
  }
  const userOf = async (of: string) => {
    const { json, error } = await call('get_user', { target_user: { username: nameOf(of) } })
    return error ? undefined : user.parse(json).user
  }
  /** Finds or creates the user of a key; concurrent calls end at the same one. */
  const ownUser = async (of: string) => {
    const known = await userOf(of)
    if (known) return known
    const target = { username: nameOf(of), password: `${randomBytes(18).toString('base64url')}aA1!`, first_name: 'Remote', last_name: 'Browser' }
    const made = await call('create_user', { target_user: { ...target, locked: false, disabled: false } })
    return made.error ? ((await userOf(of)) ?? user.parse(sure(made)).user) : user.parse(made.json).user
  }
  const find = async (of: string): Promise<StartedRemoteSession | undefined> => {
    const owner = await userOf(of)
    const there = owner && firstOf(owner.kasms)
    return owner && there ? { ref: refOf(there.kasm_id, owner.user_id) } : undefined
  }
  return {
    name: 'kasm',
    start: async (of) => {
      const { user_id: userId, kasms } = await ownUser(of)
      const there = firstOf(kasms)
      if (there) return { ref: refOf(there.kasm_id, userId) }
      const mine = startReply.parse(sure(await call('request_kasm', { user_id: userId, image_id: image, enable_sharing: false })))
      // Another process may have started one concurrently: keep the first session and end our own
      const { kasm_id: kasmId } = firstOf((await userOf(of))?.kasms) ?? mine
      if (kasmId !== mine.kasm_id) await call('destroy_kasm', { kasm_id: mine.kasm_id, user_id: userId })
      return { ref: refOf(kasmId, userId) }
    },
    find,
    look: async (ref) => {
      const { json, error } = await call('get_kasm_status', { ...idsOf(ref), skip_agent_check: false })
      if (GONE_WORDS.test(error)) return 'gone'
      const { kasm, operational_status: plain } = statusReply.parse(sure({ json, error }))
      const is = kasm?.operational_status ?? plain ?? 'starting'
      if (/^(deleted|deleting|stopped|stopping|error|failed)$/i.test(is)) return 'gone'
      return /^running$/i.test(is) ? 'running' : 'starting'
    },
    enter: async (_of, ref) => {
      const { kasm_url: path } = statusReply.parse(sure(await call('get_kasm_status', { ...idsOf(ref), skip_agent_check: false })))
      if (!path) throw new Error('kasm gave no address')
      return new URL(path, url).href
    },
    keepAlive: async (ref) => void (await call('keepalive', { kasm_id: idsOf(ref).kasm_id })),
    end: async (of, ref) => {
      // Also delete a user whose session was never created
      const userId = ref === undefined ? (await userOf(of))?.user_id : idsOf(ref).user_id
      const gone = async (verb: string, body: object) => {
        const reply = await call(verb, body)
        if (reply.error && !GONE_WORDS.test(reply.error)) throw new Error(`kasm: ${reply.error.slice(0, 100)}`)
      }
      if (ref !== undefined) await gone('destroy_kasm', idsOf(ref))
      if (userId !== undefined) await gone('delete_user', { target_user: { user_id: userId }, force: true })
    },
  }
}

function parseReplyJson(text: string, writes: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadableError(writes, 'kasm answered something that is not JSON')
  }
}

/** The oldest session of a user. */
const firstOf = (sessions: readonly z.infer<typeof session>[] | null | undefined) =>
  sessions?.toSorted((a, b) => `${a.start_date ?? ''} ${a.kasm_id}`.localeCompare(`${b.start_date ?? ''} ${b.kasm_id}`))[0]

const nameOf = (key: string): string => `${key.replace(/[^0-9a-z]/gi, '-').toLowerCase()}@remote.invalid`
const refOf = (kasmId: string, userId: string): string => `${kasmId}:${userId}`
const idsOf = (ref: string): { readonly kasm_id: string; readonly user_id: string } => {
  const [kasmId = '', userId = ''] = ref.split(':')
  return { kasm_id: kasmId, user_id: userId }
}
