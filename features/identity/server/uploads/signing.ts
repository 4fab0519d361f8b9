import { createHmac } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { keyFor, keyThatMade } from '#platform/server/sealing/seal.ts'

/** Seconds that a signed URL of a picture is valid. */
const SHOWN_SECONDS = 300
const signed = (secretKey: Buffer, userId: string, id: string, until: number) =>
  createHmac('sha256', keyFor(secretKey, 'identity.address')).update(`${userId}\n${id}\n${until}`).digest()

/** Signs a URL of the user's own picture, valid for 300 s. */
export function signFile({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string, id: string): { until: number; sign: string } {
  const until = Math.floor(clock.now().getTime() / 1000) + SHOWN_SECONDS
  return { until, sign: signed(secretKey, userId, id, until).toString('base64url') }
}

export function isSigned({ secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>, userId: string, id: string, until: number, sign: string): boolean {
  const now = clock.now().getTime() / 1000
  if (until < now || until > now + SHOWN_SECONDS + 1) return false
  return keyThatMade(secretKeys, Buffer.from(sign, 'base64url'), (key) => signed(key, userId, id, until)) !== undefined
}
