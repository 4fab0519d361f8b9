import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The sandbox's signature: HMAC-SHA256 over algorithm, key id, time and the raw bytes of the body. Two keys are valid at
 * once, so that a rotation drops nothing (W12).
 */
export const MERCHANT = 'mingxi-sandbox-merchant'
export const NOTICE_KEYS = ['sandbox-key-1', 'sandbox-key-2'] as const
export const MERCHANT_KEY = 'sandbox-merchant-key'
const ALGORITHM = 'HMAC-SHA256'
const WINDOW_SECONDS = 300

type Headers = Readonly<Record<string, string | string[] | undefined>>
type SecretOf = (purpose: string) => Buffer

function signature(secret: Buffer, keyId: string, time: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${ALGORITHM}\n${keyId}\n${time}\n`).update(body).digest()
}

/** Headers that carry the signature of `body`, made now. */
export function sealed(secretOf: SecretOf, keyId: string, now: Date, body: Buffer): Record<string, string> {
  const time = String(Math.floor(now.getTime() / 1000))
  return {
    'sandbox-algorithm': ALGORITHM,
    'sandbox-key': keyId,
    'sandbox-time': time,
    'sandbox-signature': signature(secretOf(keyId), keyId, time, body).toString('base64url'),
  }
}

/** True only for untouched bytes, signed by one of `keyIds` within five minutes of now, with the one algorithm we accept. */
export function isSealed(secretOf: SecretOf, keyIds: readonly string[], now: Date, headers: Headers, body: Buffer): boolean {
  const [algorithm, keyId, time, given] = ['sandbox-algorithm', 'sandbox-key', 'sandbox-time', 'sandbox-signature'].map((name) => headers[name])
  if (algorithm !== ALGORITHM || typeof keyId !== 'string' || !keyIds.includes(keyId)) return false
  if (typeof time !== 'string' || !/^\d{1,12}$/.test(time) || Math.abs(now.getTime() / 1000 - Number(time)) > WINDOW_SECONDS) return false
  if (typeof given !== 'string') return false
  const expected = signature(secretOf(keyId), keyId, time, body)
  const sent = Buffer.from(given, 'base64url')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
