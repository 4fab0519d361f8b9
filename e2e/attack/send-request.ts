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
  /** Leaves after so many events of the answer; 0: with the head. */
  readonly leaveAfter?: number
  /** Leaves so many milliseconds after the request was written. */
  readonly leaveAfterMs?: number
  /** Leaves at the first event that holds this. */
  readonly leaveAt?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000, maxFreeSockets: 64 })
const MAX_TEXT_CHARS = 2_000

/** One request, byte for byte as it is given; the answer is read away and only its beginning kept. Never rejects. */
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
