import { failedReply, unreadable } from '#platform/shared/supplier-error.ts'
import { z } from 'zod'
import { callOut } from '#platform/server/http/http-client.ts'
import { REASONS } from '../port.ts'
import type { Job, Refused, RegistrationSupplier, RegistrationTools, SupplierVendor } from '../port.ts'
import { isSame, signatureOf } from './sign.ts'

const NAME = 'http'
const DEADLINE_MS = 15_000
/** How far a reply's clock may be away. */
const SKEW_S = 300

const job = z.object({
  id: z.string().regex(/^[\w.-]{1,80}$/),
  state: z.enum(['queued', 'working', 'done', 'failed', 'cancelled']),
  reason: z.string().max(100).optional(),
})
const refusal = z.object({ error: z.string().max(100) })

/** A supplier that speaks our own interface, which is documented for them. docs/vendors/registration.md */
export const http: SupplierVendor = {
  name: NAME,
  sandbox: false,
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

interface Account {
  readonly url: string
  readonly key: string
  readonly secret: string
}
interface Wish {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** Signed both ways: a reply that is not the supplier's own says nothing, and is `unknown` for a write. 409 and 422 are definite refusals. */
async function ask({ url, key, secret }: Account, { fetch, now }: Pick<RegistrationTools, 'fetch' | 'now'>, wish: Wish): Promise<Job | undefined> {
  const { method } = wish
  const body = wish.body ? JSON.stringify(wish.body) : ''
  const path = `${new URL(url).pathname.replace(/\/$/, '')}${wish.path}`
  const time = String(Math.floor(now().getTime() / 1000))
  const headers = {
    'content-type': 'application/json',
    'x-key': key,
    'x-time': time,
    'x-signature': signatureOf(secret, { method, path, time, body }),
  }
  const reply = await callOut(fetch, { method, url: `${new URL(url).origin}${path}`, headers, deadlineMs: DEADLINE_MS, ...(body ? { body } : {}) })
  const failed = (more: { refused?: string; said?: string } = {}) =>
    failedReply({ status: reply.status, writes: method !== 'GET', retryAfter: reply.header('retry-after'), now: now(), ...more })
  const said = reply.body.toString('utf8')
  const at = reply.header('x-time')
  const right = signatureOf(secret, { method, path, time: at, body: said })
  const isTheirs = isSame(reply.header('x-signature'), right) && Math.abs(Number(at) - Number(time)) <= SKEW_S
  // Front servers refuse a flood without a signature
  if (!isTheirs) throw reply.status === 429 ? failed() : unreadable(method !== 'GET', `not signed by the supplier, HTTP ${reply.status}`)
  if (reply.status === 404) return undefined
  if (reply.status === 409 || reply.status === 422) {
    const { error } = refusal.parse(JSON.parse(said))
    throw failed({ refused: wordOf(error), said: error })
  }
  if (reply.status !== 200 && reply.status !== 201) throw failed()
  return jobIn(said)
}

const known = (word: string): word is (typeof REASONS)[number] => (REASONS as readonly string[]).includes(word)
const wordOf = (word: string): Refused => (known(word) || word === 'busy' || word === 'account' ? word : 'other')

function jobIn(said: string): Job {
  const { id, state, reason } = job.parse(JSON.parse(said))
  return { ref: id, state: state === 'queued' ? 'working' : state, ...(reason === undefined ? {} : { reason: known(reason) ? reason : 'other' }) }
}

function supplierOf(account: Account, tools: RegistrationTools): RegistrationSupplier {
  const call = (wish: Wish) => ask(account, tools, wish)
  const must = async (wish: Wish): Promise<Job> => {
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
