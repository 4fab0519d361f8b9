import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { KASM_SESSION_RULES } from './rules.ts'
import { KASM_IMAGE, KASM_KEY, KASM_SECRET, createKasmId, createKasmSession } from './state.ts'
import type { KasmState } from './state.ts'

const json = (status: number, value: unknown): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
/** RFC 9457. */
const problem = (status: number, type: string): StandInReply => ({
  ...json(status, { type, title: type, status }),
  headers: { 'content-type': 'application/problem+json' },
})

/** The API of 1.19 and later, below /api/session. */
export function createKasmSessionApi(state: KasmState) {
  const bodies = new Map<string, string>()

  function start({ headers, body }: StandInRequest): StandInReply {
    const key = headers['idempotency-key'] === undefined ? createKasmId() : String(headers['idempotency-key'])
    if (bodies.has(key) && bodies.get(key) !== body) return problem(409, 'idempotency-key-reused')
    const known = state.users.get(key)
    const { image_id: image } = JSON.parse(body || '{}') as { image_id?: string }
    if (image === undefined) return problem(400, 'image-required')
    if (image !== KASM_IMAGE) return problem(404, 'image-not-found')
    if (!known && state.fault === 'full') return problem(KASM_SESSION_RULES.noResources.status, KASM_SESSION_RULES.noResources.type)
    if (!known && state.fault === 'limited') return problem(KASM_SESSION_RULES.anonymousLimit.status, 'too-many-requests')
    const userId = known ?? createKasmId()
    state.users.set(key, userId)
    bodies.set(key, body)
    const session = [...state.sessions.values()].find((one) => one.userId === userId) ?? createKasmSession(state, userId)
    return json(202, { session_id: session.id, user_id: userId, session_token: 'jwt', connect_url: `/#/connect/session/${session.id}?token=jwt` })
  }

  return (request: StandInRequest, isStranger: boolean): StandInReply => {
    const { method, path, headers } = request
    const credentials = `Basic ${Buffer.from(`${KASM_KEY}:${KASM_SECRET}`).toString('base64')}`
    if (headers.authorization !== credentials || isStranger)
      return { ...problem(401, 'unauthorized'), headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Basic' } }
    const [whole, id, rest = ''] = /^\/api\/session\/sessions(?:\/([0-9a-f]+)(\/\w+)?)?$/.exec(path) ?? []
    if (whole === undefined) return problem(404, 'not-found')
    if (id === undefined) return method === 'POST' ? start(request) : problem(405, 'method-not-allowed')
    const session = state.sessions.get(id)
    if (!session || session.isRemoved) return problem(404, 'not-found')
    if (method === 'DELETE' && rest === '') {
      session.state = 'deleted'
      return { status: 202, body: '' }
    }
    if (method === 'POST' && rest === '/keepalives') {
      if (session.state !== 'deleted') session.keptAlive++
      return json(200, { usage_reached: false })
    }
    if (method !== 'GET' || rest !== '/status') return problem(404, 'not-found')
    const isDeleted = session.state === 'deleted'
    return json(200, { operational_status: isDeleted ? 'DELETING' : session.state.toUpperCase(), desired_state: isDeleted ? 'DELETED' : 'RUNNING' })
  }
}
