import { randomUUID } from 'node:crypto'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { KASM_PUBLIC_RULES } from './rules.ts'
import { KASM_IMAGE, KASM_KEY, KASM_SECRET, createKasmId, createKasmSession, listKasmSessions } from './state.ts'
import type { KasmState } from './state.ts'

type Body = Readonly<Record<string, any>>
const json = (value: unknown, status = 200): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
const refuse = (message: string) => json({ error_message: message })

/** The older API, below /api/public: refusals are 200 with `error_message`. */
export function createKasmPublicApi(state: KasmState) {
  const describeUser = (name: string, id: string) => ({
    user: { user_id: id, username: name, kasms: listKasmSessions(state, id).map((one) => ({ kasm_id: one.id, start_date: one.began })) },
  })
  const findSession = (body: Body) => {
    const session = state.sessions.get(body['kasm_id'])
    return session && session.state !== 'deleted' && (body['user_id'] === undefined || session.userId === body['user_id']) ? session : undefined
  }
  const VERBS: Readonly<Record<string, (body: Body) => StandInReply>> = {
    get_user: (body) => {
      const name: string = body['target_user']?.username ?? ''
      const id = state.users.get(name)
      return id ? json(describeUser(name, id)) : refuse('User not found')
    },
    create_user: (body) => {
      const { username, password } = (body['target_user'] ?? {}) as { username?: string; password?: string }
      if (!username || !password) return refuse('Invalid Request: username and password are required')
      if (state.users.has(username)) return refuse('User already exists')
      const id = createKasmId()
      state.users.set(username, id)
      return json(describeUser(username, id))
    },
    request_kasm: (body) => {
      const [name] = [...state.users].find(([, id]) => id === body['user_id']) ?? []
      if (name === undefined) return refuse('User not found')
      if (body['image_id'] !== KASM_IMAGE) return refuse('Invalid image')
      if (state.fault === 'full') return refuse(KASM_PUBLIC_RULES.noResources.message)
      const { id, userId } = createKasmSession(state, body['user_id'])
      return json({
        kasm_id: id,
        status: 'starting',
        user_id: userId,
        username: name,
        session_token: randomUUID(),
        kasm_url: `/#/connect/kasm/${id}/${userId}/first`,
      })
    },
    get_kasm_status: (body) => {
      const session = findSession(body)
      if (!session || body['user_id'] === undefined) return refuse('Kasm not found')
      const { id, userId, began } = session
      if (session.state === 'starting') return json({ operational_status: 'starting', operational_message: 'Starting the container', operational_progress: 50 })
      const kasm = { kasm_id: id, user_id: userId, operational_status: session.state, start_date: began }
      return json({ current_time: began, kasm_url: `/#/connect/kasm/${id}/${userId}/${randomUUID()}`, kasm })
    },
    keepalive: (body) => {
      const session = findSession(body)
      if (session) session.keptAlive++
      return session ? json({ usage_reached: false }) : refuse('Kasm not found')
    },
    destroy_kasm: (body) => {
      const session = findSession(body)
      if (!session || body['user_id'] === undefined) return refuse('Kasm not found')
      session.state = 'deleted'
      return json({})
    },
    delete_user: (body) => {
      const [name, id] = [...state.users].find(([, each]) => each === body['target_user']?.user_id) ?? []
      if (name === undefined) return refuse('User not found')
      const left = listKasmSessions(state, id)
      if (left.length && !body['force']) return refuse(KASM_PUBLIC_RULES.deleteUser.message)
      for (const one of left) one.state = 'deleted'
      state.users.delete(name)
      return json({})
    },
  }
  return ({ method, path, headers, body: text }: StandInRequest, isStranger: boolean): StandInReply => {
    const verb = VERBS[path.slice('/api/public/'.length)]
    if (!verb || method !== 'POST' || !String(headers['content-type']).startsWith('application/json')) return json({ error_message: 'Not found' }, 404)
    const body = JSON.parse(text || '{}') as Body
    if (body['api_key'] !== KASM_KEY || body['api_key_secret'] !== KASM_SECRET || isStranger) return json({ error_message: 'Unauthorized' }, 403)
    return verb(body)
  }
}
