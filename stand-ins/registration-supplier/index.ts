import { createHash, createHmac } from 'node:crypto'
import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { createRegistrationSupplierOracle } from './oracle.ts'
import { REGISTRATION_SUPPLIER_RULES } from './rules.ts'

interface Job {
  readonly id: string
  readonly key: string
  state: string
  reason?: string
}
export interface RegistrationSupplierStandIn {
  readonly company: StandInServer
  /** Jobs by the client's key: a key begins one job. */
  readonly jobs: Map<string, Job>
  /** `busy`: refuses new jobs. `late`: finishes a job that is cancelled. */
  mood: 'fine' | 'busy' | 'late'
}

/**
 * A supplier that implements docs/vendors/registration.md. A request with the fault `bad-signature` takes effect, and its answer is signed with
 * another secret.
 */
export async function startRegistrationSupplier({ secret, key, now = () => new Date() }: { secret: string; key: string; now?: () => Date }) {
  const { skewSeconds } = REGISTRATION_SUPPLIER_RULES
  const jobs = new Map<string, Job>()
  const sign = (withSecret: string, { method, url }: StandInRequest, time: string, body: string) =>
    createHmac('sha256', withSecret)
      .update([method, url, time, createHash('sha256').update(body).digest('hex')].join('\n'))
      .digest('hex')
  const isSigned = (request: StandInRequest) => {
    const time = String(request.headers['x-time'])
    const isRecent = /^\d+$/.test(time) && Math.abs(Number(time) - now().getTime() / 1000) <= skewSeconds
    return isRecent && request.headers['x-key'] === key && request.headers['x-signature'] === sign(secret, request, time, request.body)
  }
  const describe = ({ id, state, reason }: Job) => ({ id, state, ...(reason === undefined ? {} : { reason }) })

  function submit(body: string): { status: number; said: object } {
    const { key: given, email, password, attempt } = JSON.parse(body) as Record<string, unknown>
    const texts = [given, email, password]
    if (!texts.every((each) => typeof each === 'string' && each !== '') || !Number.isInteger(attempt)) return { status: 422, said: { error: 'invalid' } }
    if (supplier.mood === 'busy') return { status: 409, said: { error: 'busy' } }
    const job = jobs.get(given as string) ?? { id: `job-${jobs.size + 1}`, key: given as string, state: 'working' }
    jobs.set(job.key, job)
    return { status: 201, said: describe(job) }
  }
  function perform({ method, path, query, body }: StandInRequest): { status: number; said: object } {
    if (path === '/v1/registrations' && method === 'POST') return submit(body)
    const id = decodeURIComponent(/^\/v1\/registrations\/([^/]+)$/.exec(path)?.[1] ?? '')
    const job = path === '/v1/registrations' ? jobs.get(query.get('key') ?? '') : [...jobs.values()].find((one) => one.id === id)
    if (!job) return { status: 404, said: { error: 'unknown' } }
    if (method === 'DELETE' && job.state === 'working') job.state = supplier.mood === 'late' ? 'done' : 'cancelled'
    return { status: 200, said: describe(job) }
  }
  function answer(request: StandInRequest): StandInReply {
    if (!isSigned(request)) return { status: 401, body: 'not signed' }
    const { status, said } = perform(request)
    const [body, time] = [JSON.stringify(said), String(Math.floor(now().getTime() / 1000))]
    const signature = sign(request.fault === 'bad-signature' ? 'x'.repeat(32) : secret, request, time, body)
    return { status, headers: { 'content-type': 'application/json', 'x-time': time, 'x-signature': signature }, body }
  }
  const company = await startStandInServer(answer, { oracle: createRegistrationSupplierOracle() })
  const supplier: RegistrationSupplierStandIn = { company, jobs, mood: 'fine' }
  return supplier
}
