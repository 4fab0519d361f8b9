import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { createKasmOracle } from './oracle.ts'
import { createKasmPublicApi } from './public-api.ts'
import { createKasmSessionApi } from './session-api.ts'
import { listKasmSessions } from './state.ts'
import type { KasmState } from './state.ts'

export interface Kasm extends KasmState {
  readonly company: StandInServer
  readonly url: string
  /** Its reconciler: what starts runs, what was deleted is removed. */
  run(): void
  /** Answers the requests held by `slow`. */
  answer(): void
  /** Number of requests held by `slow`. */
  waiting(): number
  /** Ids of the sessions that are not deleted, oldest first. */
  live(): readonly string[]
  /** Ends every session without notice, as an operator at Kasm could. */
  lose(): void
  /** The next start takes effect, but its response is lost. */
  loseStart(): void
  close(): Promise<void>
}
const STARTS = /\/(request_kasm|sessions)$/

/** Kasm Workspaces with both of its APIs over one state (https://docs.kasm.com/docs/develop/reference/developer-api). */
export async function startKasm(): Promise<Kasm> {
  const state: KasmState = { sessions: new Map(), users: new Map(), fault: 'none' }
  const slow: (() => void)[] = []
  const broken = new WeakSet<StandInRequest>()
  const oracle = createKasmOracle()
  const [answerPublicApi, answerSessionApi] = [createKasmPublicApi(state), createKasmSessionApi(state)]

  async function answer(request: StandInRequest): Promise<StandInReply> {
    if (state.fault === 'slow' && request.method === 'POST' && STARTS.test(request.path)) await new Promise<void>((go) => slow.push(go))
    const { fault } = state
    if (fault === 'down' || fault === 'text' || fault === 'stranger') state.fault = 'none'
    if (fault === 'down' || fault === 'text') {
      broken.add(request)
      return { status: fault === 'down' ? 502 : 200, headers: { 'content-type': 'text/html' }, body: '<html>maintenance</html>' }
    }
    return (request.path.startsWith('/api/public/') ? answerPublicApi : answerSessionApi)(request, fault === 'stranger')
  }
  // A gateway's page is not Kasm's.
  const check = (request: StandInRequest, reply: StandInReply) => (broken.has(request) ? undefined : oracle.check(request, reply))
  const company = await startStandInServer(answer, { oracle: { ...oracle, check } })
  return Object.assign(state, {
    company,
    url: company.url,
    run: () => {
      for (const session of state.sessions.values()) {
        if (session.state === 'starting') session.state = 'running'
        if (session.state === 'deleted') session.isRemoved = true
      }
    },
    answer: () => {
      for (const go of slow.splice(0)) go()
    },
    waiting: () => slow.length,
    live: () => listKasmSessions(state).map(({ id }) => id),
    lose: () => {
      for (const session of state.sessions.values()) Object.assign(session, { state: 'deleted', isRemoved: true })
    },
    loseStart: () => company.misbehave('reset-after', 1, STARTS),
    close: () => company.close(),
  })
}
