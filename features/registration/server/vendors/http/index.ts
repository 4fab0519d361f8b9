import { failedReplyError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { REGISTRATION_REASONS } from '../port.ts'
import type { RegistrationJob, RegistrationRefusal, RegistrationSupplier, RegistrationTools, RegistrationSupplierVendor } from '../port.ts'
import { isSameSignature, signRegistrationRequest } from './sign.ts'
import { listPlainAddresses } from '#platform/shared/suppliers/test-account.ts'

const NAME = 'http'
const DEADLINE_MS = 15_000
/** Maximum clock skew of a reply. */
const MAX_SKEW_S = 300

const job = z.object({
  id: z.string().regex(/^[\w.-]{1,80}$/),
  state: z.enum(['queued', 'working', 'done', 'failed', 'cancelled']),
  reason: z.string().max(100).optional(),
})
const refusal = z.object({ error: z.string().max(100) })

/** A supplier that implements our own interface, as documented for suppliers. docs/vendors/registration.md */
export const http: RegistrationSupplierVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => listPlainAddresses(config, ['REGISTRATION_URL']),
  env: {
    /** Base URL of the registration supplier. docs/vendors/registration.md */
    REGISTRATION_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Our account name at the supplier. */
    REGISTRATION_KEY: z.string().min(1).max(100).optional(),
    /** Secret that signs our calls and the supplier's replies; at least 32 characters. */
    REGISTRATION_SECRET: z.string().min(32).optional(),
  },
  connect: (config, tools) => {
    const [url, key, secret] = [config['REGISTRATION_URL'], config['REGISTRATION_KEY'], config['REGISTRATION_SECRET']]
    if (typeof url !== 'string' || typeof key !== 'string' || typeof secret !== 'string') return undefined
    return supplierOf({ url: url.replace(/\/$/, ''), key, secret }, tools)
  },
}

interface HttpAccount {
  readonly url: string
  readonly key: string
  readonly secret: string
}
interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/**
 * Requests and replies are signed: a reply without a valid signature is ignored, and is `unknown` for a write. 409 and 422 are definite
 * refusals.
 */
async function request(
  { url, key, secret }: HttpAccount,
  { fetch, now }: Pick<RegistrationTools, 'fetch' | 'now'>,
  wish: HttpRequest,
): Promise<RegistrationJob | undefined> {
  const { method } = wish
  const body = wish.body ? JSON.stringify(wish.body) : ''
  const path = `${new URL(url).pathname.replace(/\/$/, '')}${wish.path}`
  const time = String(Math.floor(now().getTime() / 1000))
  const headers = {
    'content-type': 'application/json',
    'x-key': key,
    'x-time': time,
    'x-signature': signRegistrationRequest(secret, { method, path, time, body }),
  }
  const reply = await sendOutgoingRequest(fetch, { method, url: `${new URL(url).origin}${path}`, headers, deadlineMs: DEADLINE_MS, ...(body ? { body } : {}) })
  const failed = (more: { refused?: string; said?: string } = {}) =>
    failedReplyError({ status: reply.status, writes: method !== 'GET', retryAfter: reply.header('retry-after'), now: now(), ...more })
  const said = reply.body.toString('utf8')
  const at = reply.header('x-time')
  const right = signRegistrationRequest(secret, { method, path, time: at, body: said })
  const isTheirs = isSameSignature(reply.header('x-signature'), right) && Math.abs(Number(at) - Number(time)) <= MAX_SKEW_S
  // Gateways refuse floods without a signature
  if (!isTheirs) throw reply.status === 429 ? failed() : unreadableError(method !== 'GET', `not signed by the supplier, HTTP ${reply.status}`)
  if (reply.status === 404) return undefined
  if (reply.status === 409 || reply.status === 422) {
    const { error } = refusal.parse(JSON.parse(said))
    throw failed({ refused: toRefusal(error), said: error })
  }
  if (reply.status !== 200 && reply.status !== 201) throw failed()
  return parseJob(said)
}

const isKnownReason = (word: string): word is (typeof REGISTRATION_REASONS)[number] => (REGISTRATION_REASONS as readonly string[]).includes(word)
const toRefusal = (word: string): RegistrationRefusal => (isKnownReason(word) || word === 'busy' || word === 'account' ? word : 'other')

function parseJob(said: string): RegistrationJob {
  const { id, state, reason } = job.parse(JSON.parse(said))
  return { ref: id, state: state === 'queued' ? 'working' : state, ...(reason === undefined ? {} : { reason: isKnownReason(reason) ? reason : 'other' }) }
}

function supplierOf(account: HttpAccount, tools: RegistrationTools): RegistrationSupplier {
  const call = (wish: HttpRequest) => request(account, tools, wish)
  const must = async (wish: HttpRequest): Promise<RegistrationJob> => {
    const found = await call(wish)
    if (!found) throw new Error('the supplier does not know the job')
    return found
  }
  return {
    name: NAME,
    submit: ({ key, account: email, password, attempt }) => must({ method: 'POST', path: '/v1/registrations', body: { key, email, password, attempt } }),
    find: (key) => call({ method: 'GET', path: `/v1/registrations?key=${encodeURIComponent(key)}` }),
    look: (ref) => must({ method: 'GET', path: `/v1/registrations/${encodeURIComponent(ref)}` }),
    cancel: async (ref) => {
      const said = await call({ method: 'DELETE', path: `/v1/registrations/${encodeURIComponent(ref)}` })
      if (!said || said.state === 'cancelled' || said.state === 'failed') return 'cancelled'
      if (said.state === 'done') return 'done'
      throw new Error('the supplier continues a cancelled job')
    },
  }
}
