import { randomUUID } from 'node:crypto'
import type { RobotViolation } from '../oracle/violation.ts'
import { findWrongWords } from '../oracle/violation.ts'
import type { RobotProduct } from '../stage/product.ts'

/** An operator who uses the operators' own API. */
export interface RobotOperator {
  readonly mail: string
  get(path: string, input?: Readonly<Record<string, string>>): Promise<any>
  post(path: string, input?: object): Promise<any>
  /** Runs a command as the console does: first its preview, then the request. Returns its state, or the reason for the refusal. */
  command(name: string, input: object, reasonCode?: string): Promise<{ state: string; no?: string }>
  /** The session's token, for requests that have no method here. */
  token(): string
}

const WRONG_TOKEN = 401
const STEP_UP = 5003

export interface OperatorSignIn {
  readonly report: (violation: RobotViolation) => void
  /** A session that is open already. */
  readonly begun?: { readonly token: string }
}

/** Signs in unless a session is active, and again when it has expired: robots move the clock by weeks. */
export async function signInOperator({ siteUrl, consoleUrl, demo }: RobotProduct, mail: string, { report, begun }: OperatorSignIn): Promise<RobotOperator> {
  let token = begun?.token ?? ''
  const ask = async (method: 'GET' | 'POST', path: string, input: object = {}): Promise<any> => {
    const query = method === 'GET' && Object.keys(input).length ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    const reply = await fetch(`${consoleUrl}${path}${query}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'language': 'en',
        'operatortoken': token,
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
    })
    const answer = (await reply.json()) as { code: number; msg: string; data: any }
    if (reply.status >= 500 && reply.status !== 503)
      report({ rule: 'no server error', subject: `desk ${path}`, seen: `${reply.status} ${answer.msg}`, expected: 'an answer' })
    if (answer.code !== 200) for (const one of findWrongWords(answer.msg, `desk ${path}`, 'en')) report(one)
    return answer
  }
  const codeNow = async (): Promise<string> => {
    const page = await (await fetch(`${siteUrl}/sandbox?panel=operators`)).text()
    const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => [...row!.matchAll(/<div>(.*?)<\/div>/gs)].map(([, cell]) => cell!))
    return rows.find((cells) => cells[1] === mail)?.[3] ?? ''
  }
  const signIn = async (): Promise<void> => {
    // each code is valid once, and there is a new one every thirty seconds
    for (let tries = 0; tries < 70; tries++) {
      const { code, data, msg } = await ask('POST', '/operator/signIn', { mail, password: demo.password, code: await codeNow() })
      if (code === 200) return void (token = data.token)
      if (tries === 69) throw new Error(`${mail} cannot sign in: ${msg}`)
      await new Promise((done) => setTimeout(done, 1_000))
    }
  }
  const call = async (method: 'GET' | 'POST', path: string, input?: object): Promise<any> => {
    const answer = await ask(method, path, input)
    if (answer.code !== WRONG_TOKEN && answer.code !== STEP_UP) return answer
    await signIn()
    return ask(method, path, input)
  }
  if (begun === undefined) await signIn()
  return {
    mail,
    token: () => token,
    get: (path, input) => call('GET', path, input),
    post: (path, input) => call('POST', path, input),
    command: async (name, input, reasonCode = 'customerAsked') => {
      const preview = await call('POST', `/operator/do/${name}/preview`, input)
      if (preview.code !== 200) return { state: preview.msg }
      const asked = await call('POST', `/operator/do/${name}`, {
        ...input,
        expects: preview.data.expects,
        reasonCode,
        reason: 'Checked by the desk of the robots',
      })
      return asked.code === 200 ? { state: asked.data.state, no: asked.data.no } : { state: asked.msg }
    },
  }
}
