import { createHmac } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { deriveKey, findSealingKey } from '#platform/server/sealing/seal.ts'

/** Seconds that a signed URL of a picture is valid. */
const SIGNATURE_TTL_SECONDS = 300
const computeSignature = (secretKey: Buffer, userId: string, { id, until }: { readonly id: string; readonly until: number }) =>
  createHmac('sha256', deriveKey(secretKey, 'identity.address')).update(`${userId}\n${id}\n${until}`).digest()

/** Signs a URL of the user's own picture, valid for 300 s. */
export function signFile({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string, id: string): { until: number; sign: string } {
  const until = Math.floor(clock.now().getTime() / 1000) + SIGNATURE_TTL_SECONDS
  return { until, sign: computeSignature(secretKey, userId, { id, until }).toString('base64url') }
}

export function isFileSigned(
  { secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>,
  userId: string,
  { id, until, sign }: { readonly id: string; readonly until: number; readonly sign: string },
): boolean {
  const now = clock.now().getTime() / 1000
  if (until < now || until > now + SIGNATURE_TTL_SECONDS + 1) return false
  return findSealingKey(secretKeys, Buffer.from(sign, 'base64url'), (key) => computeSignature(key, userId, { id, until })) !== undefined
}
