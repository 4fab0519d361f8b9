import { randomBytes } from 'node:crypto'
import { keyThatMade } from '#platform/server/sealing/seal.ts'
import { keyed } from '../sessions/tokens.ts'

const LIVE_MS = 600_000

export interface OAuthState {
  readonly state: string
  readonly nonce: string
  readonly expiresAt: Date
}

const nonceOf = (secretKey: Buffer, seed: string) => keyed(secretKey, 'account.google.nonce', seed).toString('base64url')
const macOf = (secretKey: Buffer, seed: string) => keyed(secretKey, 'account.google.state', seed).toString('base64url')

/** A state that we alone can make, and the nonce that belongs to it; nothing is stored until it is used. */
export function newState(secretKey: Buffer, now: Date): OAuthState {
  const expiresAt = new Date(now.getTime() + LIVE_MS)
  const seed = `${randomBytes(18).toString('base64url')}.${expiresAt.getTime().toString(36)}`
  return { state: `${seed}.${macOf(secretKey, seed)}`, nonce: nonceOf(secretKey, seed), expiresAt }
}

/** Undefined for a state that is not ours or has run out. That it is used once is for `spendState`. */
export function readState(secretKeys: readonly Buffer[], state: string, now: Date): OAuthState | undefined {
  const [random = '', end = '', mac = '', ...more] = state.split('.')
  const seed = `${random}.${end}`
  const key = keyThatMade(secretKeys, Buffer.from(mac), (one) => Buffer.from(macOf(one, seed)))
  if (more.length || !key) return undefined
  const expiresAt = new Date(Number.parseInt(end, 36))
  return expiresAt > now ? { state, nonce: nonceOf(key, seed), expiresAt } : undefined
}
