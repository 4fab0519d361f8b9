import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Admits one page to one session, once, within a minute. */
export interface SessionTicket {
  readonly taskId: string
  readonly userId: string
  /** Makes the ticket unique, so that it is accepted only once. */
  readonly nonce: string
  /** Expiry time in milliseconds. */
  readonly until: number
}

const TICKET_TTL_MS = 60_000
const signTicket = (secretKey: Buffer, text: string) => createHmac('sha256', secretKey).update(`remote.ticket:${text}`).digest()

export function createSessionTicket(secretKey: Buffer, { taskId, userId }: Pick<SessionTicket, 'taskId' | 'userId'>, now: number): string {
  const ticket: SessionTicket = { taskId, userId, nonce: randomBytes(12).toString('base64url'), until: now + TICKET_TTL_MS }
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${text}.${signTicket(secretKey, text).toString('base64url')}`
}

/** Verifies a ticket; undefined if its signature is invalid or it has expired. */
export function readSessionTicket(secretKeys: readonly Buffer[], given: string, now: number): SessionTicket | undefined {
  const [text = '', signature = ''] = given.split('.')
  const claimed = Buffer.from(signature, 'base64url')
  const isOurs = secretKeys.some((key) => {
    const right = signTicket(key, text)
    return claimed.length === right.length && timingSafeEqual(claimed, right)
  })
  if (!isOurs) return undefined
  const ticket = JSON.parse(Buffer.from(text, 'base64url').toString()) as SessionTicket
  return ticket.until > now ? ticket : undefined
}
