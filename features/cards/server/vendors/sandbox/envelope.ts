import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE = 'sandbox-issuer-signature'
const WINDOW_SECONDS = 300

const macOf = (key: Buffer, time: string, body: Buffer | string) => createHmac('sha256', key).update(`${time}.`).update(body).digest('hex')

/** `t=<seconds>,v1=<HMAC-SHA256 over time, dot and the raw bytes>`: true only for untouched bytes under one of `keys`, signed within five minutes of now. */
export function isSigned(keys: readonly Buffer[], now: number, header: unknown, body: Buffer): boolean {
  const [, time, given] = (typeof header === 'string' && /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header)) || []
  if (!time || !given || Math.abs(now / 1000 - Number(time)) > WINDOW_SECONDS) return false
  const sent = Buffer.from(given, 'hex')
  return keys.some((key) => timingSafeEqual(Buffer.from(macOf(key, time, body), 'hex'), sent))
}
