import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Opens one session to one page, once, for a minute. */
export interface Ticket {
  readonly taskId: string
  readonly userId: string
  /** Makes it one of its kind: who takes tickets takes each once. */
  readonly nonce: string
  /** Milliseconds. */
  readonly until: number
}

const GOOD_MS = 60_000
const sign = (secretKey: Buffer, text: string) => createHmac('sha256', secretKey).update(`remote.ticket:${text}`).digest()

export function makeTicket(secretKey: Buffer, { taskId, userId }: Pick<Ticket, 'taskId' | 'userId'>, now: number): string {
  const ticket: Ticket = { taskId, userId, nonce: randomBytes(12).toString('base64url'), until: now + GOOD_MS }
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${text}.${sign(secretKey, text).toString('base64url')}`
}

/** Undefined for what we did not sign, or what is too old. */
export function readTicket(secretKeys: readonly Buffer[], given: string, now: number): Ticket | undefined {
  const [text = '', signature = ''] = given.split('.')
  const claimed = Buffer.from(signature, 'base64url')
  const isOurs = secretKeys.some((key) => {
    const right = sign(key, text)
    return claimed.length === right.length && timingSafeEqual(claimed, right)
  })
  if (!isOurs) return undefined
  const ticket = JSON.parse(Buffer.from(text, 'base64url').toString()) as Ticket
  return ticket.until > now ? ticket : undefined
}
