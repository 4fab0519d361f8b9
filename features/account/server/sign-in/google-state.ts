import { randomBytes } from 'node:crypto'
import { findSealingKey } from '#platform/server/sealing/seal.ts'
import { computeKeyedHash } from '../sessions/tokens.ts'

const LIVE_MS = 600_000

export interface OAuthState {
  readonly state: string
  readonly nonce: string
  readonly expiresAt: Date
}

const computeNonce = (secretKey: Buffer, seed: string) => computeKeyedHash(secretKey, 'account.google.nonce', seed).toString('base64url')
const computeMac = (secretKey: Buffer, seed: string) => computeKeyedHash(secretKey, 'account.google.state', seed).toString('base64url')

/** Creates an unforgeable state and its nonce; nothing is stored until the state is used. */
export function createOAuthState(secretKey: Buffer, now: Date): OAuthState {
  const expiresAt = new Date(now.getTime() + LIVE_MS)
  const seed = `${randomBytes(18).toString('base64url')}.${expiresAt.getTime().toString(36)}`
  return { state: `${seed}.${computeMac(secretKey, seed)}`, nonce: computeNonce(secretKey, seed), expiresAt }
}

/** Returns undefined for a forged or expired state. `consumeOAuthState` ensures single use. */
export function parseOAuthState(secretKeys: readonly Buffer[], state: string, now: Date): OAuthState | undefined {
  const [random = '', end = '', mac = '', ...more] = state.split('.')
  const seed = `${random}.${end}`
  const key = findSealingKey(secretKeys, Buffer.from(mac), (one) => Buffer.from(computeMac(one, seed)))
  if (more.length || !key) return undefined
  const expiresAt = new Date(Number.parseInt(end, 36))
  return expiresAt > now ? { state, nonce: computeNonce(key, seed), expiresAt } : undefined
}
