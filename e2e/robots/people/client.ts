import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { solveCaptchaParam } from '#features/risk/server/builders.ts'
import { describeContractBreach, findContractedCall } from '../oracle/contracts.ts'
import type { RobotViolation } from '../oracle/violation.ts'
import { findWrongWords } from '../oracle/violation.ts'
import type { RobotPerson } from './person.ts'

export interface RobotReply {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: any
}

type Scene = 'login' | 'register' | 'reset' | 'bind' | 'security'
const CAPTCHA_REQUIRED = 2500
const PROOFS = 8

/** A person's HTTP client: checks each reply against its contract and the texts in it against the word rules. */
export interface RobotClient {
  token: string
  get(path: string, input?: Readonly<Record<string, unknown>>): Promise<RobotReply>
  post(path: string, input?: Readonly<Record<string, unknown>>, key?: string): Promise<RobotReply>
  /**
   * Sends a request with a `captchaVerifyParam` of a scene, and solves another one if the first was rejected, because a supplier may be
   * down.
   */
  asHuman(scene: Scene, ask: (captchaVerifyParam: string) => Promise<RobotReply>): Promise<RobotReply>
  /** Sends a request for a code and returns the newest code sent to an address or a number since then. */
  code(to: string, scene: Scene, ask: (captchaVerifyParam: string) => Promise<RobotReply>): Promise<string>
  /** Requests any URL of this machine that a person's browser would: cashiers, shops, frames. */
  fetch(url: string, init?: RequestInit): Promise<Response>
}

export interface ClientObserver {
  readonly siteUrl: string
  report(violation: RobotViolation): void
  /** Called with every call, for the trace. */
  note(line: string): void
}

/** Paths whose replies may name another address of this machine: the proxy and its extension. */
const OTHER_HOSTS = /^\/(?:v1\/tool\/(?:reward\/)?proxy|common\/switchyOmega|v1\/tool\/openaiPlus\/livekitToken)/

export function createRobotClient(person: RobotPerson, watch: ClientObserver): RobotClient {
  const headers = (): Record<string, string> => ({
    'content-type': 'application/json',
    'language': person.lang,
    'clienttype': person.width === 414 ? '2' : '1',
    'x-forwarded-for': person.ip,
    ...(client.token ? { accesstoken: client.token } : {}),
  })
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { input, key }: { readonly input: Readonly<Record<string, unknown>>; readonly key?: string },
  ): Promise<RobotReply> => {
    const [filled, rest] = fill(path, input)
    const query = method === 'GET' && Object.keys(rest).length ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
    const reply = await fetch(`${watch.siteUrl}${filled}${query}`, {
      method,
      headers: { ...headers(), ...(key ? { 'idempotency-key': key } : {}) },
      ...(method === 'POST' ? { body: JSON.stringify(rest) } : {}),
      signal: AbortSignal.timeout(3 * PATIENCE_MS),
    })
    const type = reply.headers.get('content-type') ?? ''
    const text = type.includes('json') ? await reply.text() : (await reply.arrayBuffer(), '')
    const answer = type.includes('json')
      ? ({ status: reply.status, ...JSON.parse(text) } as RobotReply)
      : { status: reply.status, code: reply.status, msg: '', data: undefined }
    watch.note(`${method} ${filled} ${reply.status} ${answer.code}${answer.code === 200 ? '' : ` ${answer.msg}`}`)
    inspect(person, watch, { method, path: filled, type, text, answer })
    return answer
  }
  const client: RobotClient = {
    token: '',
    get: (path, input = {}) => call('GET', path, { input }),
    post: (path, input = {}, key = randomUUID()) => call('POST', path, { input, key }),
    asHuman: async (scene, ask) => {
      for (let proofs = 1; ; proofs++) {
        const { data } = await call('GET', '/common/captcha/challenge', { input: { scene, kind: 'altcha' } })
        const answer = await ask(data.challenge.kind === 'off' ? '' : await solveCaptchaParam(data.challenge.challenge))
        if (answer.code !== CAPTCHA_REQUIRED || proofs === PROOFS) return answer
      }
    },
    code: async (to, scene, ask) => {
      const before = (await listSentCodes(watch.siteUrl, to)).length
      const { code, msg } = await client.asHuman(scene, ask)
      if (code !== 200) throw new Error(`no code for ${to}: ${msg}`)
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(30)) {
        const now = await listSentCodes(watch.siteUrl, to)
        if (now.length > before) return now[0]!
        if (Date.now() > until) throw new Error(`no code came to ${to}`)
      }
    },
    fetch: (url, init = {}) => fetch(new URL(url, watch.siteUrl), { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init }),
  }
  return client
}

/** Codes sent to an address or number, newest first. */
async function listSentCodes(siteUrl: string, to: string): Promise<string[]> {
  const box = to.startsWith('+') ? 'sms' : 'mails'
  const reply = await fetch(`${siteUrl}/sandbox/${box}?to=${encodeURIComponent(to)}`)
  return ((await reply.json()) as { code?: string }[]).flatMap(({ code }) => (code ? [code] : []))
}

function fill(path: string, input: Readonly<Record<string, unknown>>): [string, Record<string, unknown>] {
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return [filled, rest]
}

interface InspectedReply {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly type: string
  readonly text: string
  readonly answer: RobotReply
}

function inspect({ lang }: RobotPerson, watch: ClientObserver, { method, path, type, text, answer }: InspectedReply): void {
  const subject = `${method} ${path}`
  const report = (rule: string, seen: string, expected: string): void => watch.report({ rule, subject, seen, expected })
  if (answer.status >= 500 && answer.code !== 503) report('no server error', `${answer.status} ${answer.msg}`, 'an answer')
  if (!type.includes('json')) return
  const promised = findContractedCall(method, path)
  const broken = promised && describeContractBreach(promised, answer.code, answer.data)
  if (broken) report('the contract', `${broken} (${answer.msg})`, 'what the contract says')
  if (answer.code !== 200) for (const one of findWrongWords(answer.msg, subject, lang)) watch.report(one)
  const { port, hostname } = new URL(watch.siteUrl)
  const [elsewhere] = new RegExp(`http://(?!${hostname})[\\w.]+:${port}[^"]*`).exec(text) ?? []
  if (elsewhere && !OTHER_HOSTS.test(path)) report('one address', elsewhere, `addresses at ${watch.siteUrl}, where the person is signed in`)
}
