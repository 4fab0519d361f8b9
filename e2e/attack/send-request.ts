import { Agent, request } from 'node:http'

/** A response as the attacker saw it. */
export interface AttackReply {
  /** 0 if no response head arrived. */
  readonly status: number
  /** The first bytes of the body. */
  readonly text: string
  readonly left: boolean
}

export interface AttackRequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Disconnects after this many events of the response; 0: after the head. */
  readonly leaveAfter?: number
  /** Disconnects this many milliseconds after the request was written. */
  readonly leaveAfterMs?: number
  /** Disconnects at the first event that contains this text. */
  readonly leaveAt?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000, maxFreeSockets: 64 })
const MAX_TEXT_CHARS = 2_000

/** Sends one request byte for byte; reads the whole response and keeps only its beginning. Never rejects. */
export function sendAttackRequest(
  url: string,
  body: Buffer | string,
  { method = 'POST', headers = {}, leaveAfter, leaveAfterMs, leaveAt }: AttackRequestOptions = {},
): Promise<AttackReply> {
  return new Promise((resolve) => {
    let status = 0
    let text = ''
    let events = 0
    let left = false
    const done = (): void => resolve({ status, text, left })
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
    const req = request(url, { method, agent, headers: { ...(headers as Record<string, string>), 'content-length': String(bytes.length) } })
    const leave = (): void => {
      left = true
      req.destroy()
      done()
    }
    req.on('error', done)
    req.on('response', (res) => {
      status = res.statusCode ?? 0
      if (leaveAfter === 0 && status === 200) return leave()
      res.on('data', (chunk: Buffer) => {
        const part = chunk.toString()
        if (text.length < MAX_TEXT_CHARS) text += part
        events += part.split('\n\n').length - 1
        if (status === 200 && ((leaveAfter !== undefined && events >= leaveAfter) || (leaveAt !== undefined && part.includes(leaveAt)))) leave()
      })
      res.on('end', done)
      res.on('error', done)
      res.on('close', done)
    })
    req.end(bytes, () => {
      if (leaveAfterMs !== undefined) setTimeout(leave, leaveAfterMs)
    })
  })
}

export const closeAttackAgent = (): void => agent.destroy()
