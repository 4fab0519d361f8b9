import { randomUUID } from 'node:crypto'

export const KASM_KEY = 'key'
export const KASM_SECRET = 'secret'
/** The one image that it has. */
export const KASM_IMAGE = 'img'

export interface KasmSession {
  readonly id: string
  readonly userId: string
  readonly began: string
  state: 'starting' | 'running' | 'deleted'
  /** A deleted session is removed by the next round of its reconciler. */
  isRemoved: boolean
  keptAlive: number
}
export interface KasmState {
  readonly sessions: Map<string, KasmSession>
  /** Users by name: anonymous ones by their idempotency key, or by their own id without one. */
  readonly users: Map<string, string>
  /**
   * `text`: a page instead of JSON, without effect; `down`: 502; `stranger`: the key is refused; each of them once. `full`, `limited` and `slow` last
   * until changed. With `slow`, requests that start a session wait for `answer`.
   */
  fault: 'none' | 'full' | 'limited' | 'text' | 'down' | 'stranger' | 'slow'
}

export const createKasmId = () => randomUUID().replaceAll('-', '')

export function createKasmSession(state: KasmState, userId: string): KasmSession {
  const began = new Date(Date.UTC(2026, 0, 1) + state.sessions.size * 1000).toISOString()
  const session: KasmSession = { id: createKasmId(), userId, began, state: 'starting', isRemoved: false, keptAlive: 0 }
  state.sessions.set(session.id, session)
  return session
}
export const listKasmSessions = ({ sessions }: KasmState, userId?: string) =>
  [...sessions.values()].filter((one) => one.state !== 'deleted' && (userId === undefined || one.userId === userId))
