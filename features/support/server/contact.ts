import type { Sql } from '#platform/server/database/db.ts'
import { findContact } from '#features/account/server/door.ts'
import { createHmac, hkdfSync } from 'node:crypto'
import { findSealingKey } from '#platform/server/sealing/seal.ts'
import { visitorToken } from '../contract.ts'

/** Owner of the conversations that a caller may access; an empty part owns nothing. */
export interface ConversationOwner {
  readonly userId: string
  readonly visitorId: string
}

const deriveVisitorKey = (secretKey: Buffer) => Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'support.visitor', 32))
const signVisitorId = (secretKey: Buffer, visitorId: string) => createHmac('sha256', deriveVisitorKey(secretKey)).update(visitorId).digest()

/** Creates a visitor's token: `vis_….<signature>`. It is computed and never stored, so no table can leak it. */
export function createVisitorToken(secretKey: Buffer, visitorId: string): string {
  return `${visitorId}.${signVisitorId(secretKey, visitorId).toString('base64url')}`
}

/** Resolves a token to its visitor id; empty for forged tokens, so that they own nothing. */
function parseVisitorToken(secretKeys: readonly Buffer[], token: string | undefined): string {
  if (!token || !visitorToken.safeParse(token).success) return ''
  const [visitorId, signature] = token.split('.') as [string, string]
  return findSealingKey(secretKeys, Buffer.from(signature, 'base64url'), (key) => signVisitorId(key, visitorId)) ? visitorId : ''
}

export function resolveConversationOwner(
  ctx: { readonly userId: string; readonly secretKeys: readonly Buffer[] },
  token: string | undefined,
): ConversationOwner {
  return { userId: ctx.userId, visitorId: parseVisitorToken(ctx.secretKeys, token) }
}

export interface SupportContact {
  readonly userId: string
  readonly email: string | undefined
  /** E.164. */
  readonly mobile: string | undefined
}

/** Contact of a user; undefined if the account no longer exists. */
export async function findSupportContact(sql: Sql, userId: string): Promise<SupportContact | undefined> {
  const contact = await findContact(sql, userId)
  return contact ? { userId, email: contact.email ?? undefined, mobile: contact.mobile ?? undefined } : undefined
}
