import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Signature used by both sides over method, path with query, time in seconds, and the hash of the body. docs/vendors/registration.md */
export function signRegistrationRequest(secret: string, { method, path, time, body }: { method: string; path: string; time: string; body: string }): string {
  const text = [method, path, time, createHash('sha256').update(body).digest('hex')].join('\n')
  return createHmac('sha256', secret).update(text).digest('hex')
}

export function isSameSignature(given: string, right: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
}
