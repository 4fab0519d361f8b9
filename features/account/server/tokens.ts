import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import type { CodePurpose } from '../contract.ts'

/** 256 random bits; only the hash is stored, so that a copy of the database opens no session. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/** What a code is bound to. `owner` is the signed-in user it was sent for, or empty. */
export interface CodeUse {
  readonly purpose: CodePurpose
  readonly kind: 'email' | 'mobile'
  readonly target: string
  readonly owner: string
}

/** A million codes are no secret by themselves: only the key keeps a copy of the database from telling them. */
export function codeHmac(secretKey: Buffer, { purpose, kind, target, owner }: CodeUse, code: string): Buffer {
  return createHmac('sha256', secretKey)
    .update(JSON.stringify(['account.code', purpose, kind, target, owner, code]))
    .digest()
}

/** A name for an e-mail in the audit: equal ones can be matched, none can be read. */
export function maskedTarget(secretKey: Buffer, target: string): string {
  return createHmac('sha256', secretKey)
    .update(JSON.stringify(['account.audit', target]))
    .digest('hex')
    .slice(0, 16)
}
