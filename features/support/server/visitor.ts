import { createHmac, hkdfSync } from 'node:crypto'
import { keyThatMade } from '#platform/server/sealing/seal.ts'
import { visitorToken } from '../contract.ts'

/** Whose conversations a caller may touch; an empty part owns nothing. */
export interface Owner {
  readonly userId: string
  readonly visitorId: string
}

const keyOf = (secretKey: Buffer) => Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'support.visitor', 32))
const sign = (secretKey: Buffer, visitorId: string) => createHmac('sha256', keyOf(secretKey)).update(visitorId).digest()

/** `vis_….<signature>`: what proves a visitor. It is computed, never stored, so that no table can give it away. */
export function visitorTokenOf(secretKey: Buffer, visitorId: string): string {
  return `${visitorId}.${sign(secretKey, visitorId).toString('base64url')}`
}

/** The visitor of a token, or nothing: made-up tokens own nothing. */
export function visitorOf(secretKeys: readonly Buffer[], token: string | undefined): string {
  if (!token || !visitorToken.safeParse(token).success) return ''
  const [visitorId, signature] = token.split('.') as [string, string]
  return keyThatMade(secretKeys, Buffer.from(signature, 'base64url'), (key) => sign(key, visitorId)) ? visitorId : ''
}

export function ownerOf(ctx: { readonly userId: string; readonly secretKeys: readonly Buffer[] }, token: string | undefined): Owner {
  return { userId: ctx.userId, visitorId: visitorOf(ctx.secretKeys, token) }
}
