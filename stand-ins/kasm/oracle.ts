import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { KASM_STATES } from './rules.ts'

/** An object with exactly these fields; `?` after a name makes it optional. */
const closed = (fields: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
})
const text = { type: 'string', minLength: 1 }
const id = { type: 'string', pattern: '^[0-9a-f-]{32,36}$' }
const flag = { type: 'boolean' }
const refused = closed({ error_message: text })
const orRefused = (fields: Readonly<Record<string, object>>) => ({ anyOf: [closed(fields), refused] })
/** Every call of the older API names the key. */
const call = (fields: Readonly<Record<string, object>>) => closed({ api_key: text, api_key_secret: text, ...fields })
const user = closed({ 'user_id': id, 'username': text, 'kasms?': { type: 'array', items: closed({ kasm_id: id, start_date: text }) } })
const states = { enum: KASM_STATES }

/** Written by hand: https://docs.kasm.com/docs/develop/reference/developer-api and, for /api/public, https://www.kasmweb.com/docs/latest/developers/developer_api.html. */
const SCHEMAS = {
  nothing: closed({}),
  noBody: { anyOf: [{ const: '' }, closed({})] },
  start: closed({ 'image_id?': text, 'user_id?': id }),
  started: closed({ session_id: id, user_id: id, session_token: text, connect_url: { type: 'string', pattern: '^/#/connect/' } }),
  status: closed({
    operational_status: { enum: KASM_STATES.map((state) => state.toUpperCase()) },
    desired_state: { enum: ['RUNNING', 'STOPPED', 'PAUSED', 'DELETED'] },
  }),
  keptAlive: closed({ usage_reached: flag }),
  problem: {
    anyOf: [closed({ 'type': text, 'title': text, 'status': { type: 'integer' }, 'detail?': text }), refused],
  },
  get_user: call({ target_user: closed({ username: text }) }),
  get_userReply: orRefused({ user }),
  create_user: call({
    target_user: closed({ 'username': text, 'password': text, 'first_name?': text, 'last_name?': text, 'locked?': flag, 'disabled?': flag }),
  }),
  request_kasm: call({ 'user_id?': id, 'image_id?': text, 'enable_sharing?': flag }),
  request_kasmReply: orRefused({ kasm_id: id, user_id: id, username: text, status: states, session_token: text, kasm_url: text }),
  get_kasm_status: call({ 'kasm_id': id, 'user_id': id, 'skip_agent_check?': flag }),
  get_kasm_statusReply: {
    anyOf: [
      closed({ operational_status: states, operational_message: text, operational_progress: { type: 'integer' } }),
      closed({ current_time: text, kasm_url: text, kasm: closed({ kasm_id: id, user_id: id, operational_status: states, start_date: text }) }),
      refused,
    ],
  },
  keepalive: call({ kasm_id: id }),
  keepaliveReply: orRefused({ usage_reached: flag }),
  destroy_kasm: call({ kasm_id: id, user_id: id }),
  delete_user: call({ 'target_user': closed({ user_id: id }), 'force?': flag }),
  doneReply: orRefused({}),
}

export const createKasmOracle = (): Oracle =>
  createOracle({
    vendor: 'kasm',
    schemas: SCHEMAS,
    endpoints: {
      'POST /api/session/sessions': { request: 'start', reply: 'started' },
      'GET /api/session/sessions/{id}/status': { request: 'nothing', reply: 'status' },
      'POST /api/session/sessions/{id}/keepalives': { request: 'noBody', reply: 'keptAlive' },
      'DELETE /api/session/sessions/{id}': { request: 'nothing' },
      'POST /api/public/get_user': { request: 'get_user', reply: 'get_userReply' },
      'POST /api/public/create_user': { request: 'create_user', reply: 'get_userReply' },
      'POST /api/public/request_kasm': { request: 'request_kasm', reply: 'request_kasmReply' },
      'POST /api/public/get_kasm_status': { request: 'get_kasm_status', reply: 'get_kasm_statusReply' },
      'POST /api/public/keepalive': { request: 'keepalive', reply: 'keepaliveReply' },
      'POST /api/public/destroy_kasm': { request: 'destroy_kasm', reply: 'doneReply' },
      'POST /api/public/delete_user': { request: 'delete_user', reply: 'doneReply' },
    },
    error: 'problem',
  })
