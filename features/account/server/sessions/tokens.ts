import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { CodePurpose } from '../../contract.ts'
import type { ContactTarget } from '../target.ts'

/** 256 random bits; only the hash is stored, so a copy of the database opens no session. */
export function generateSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function generateCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/** Binding of a code. `owner` is the signed-in user it was sent for, or empty. */
export interface CodeBinding {
  readonly purpose: CodePurpose
  readonly kind: ContactTarget['kind']
  readonly target: string
  readonly owner: string
}

/** Purposes that need no session; codes of other purposes belong to the user who requested them. */
const SESSIONLESS_PURPOSES: readonly CodePurpose[] = ['login', 'register', 'updatePassword']

export function buildCodeBinding(purpose: CodePurpose, target: ContactTarget, userId: string): CodeBinding {
  return { purpose, kind: target.kind, target: target.subject, owner: SESSIONLESS_PURPOSES.includes(purpose) ? '' : userId }
}

/**
 * Identifies who requests or guesses a code: the signed-in user, and the holder of the ticket that was returned with it. A requester always
 * needs at least one, so pass a ticket without a session.
 */
export function hashRequesters(secretKey: Buffer, userId: string, ticket: string | undefined): Buffer[] {
  const names = [...(userId ? [['user', userId]] : []), ...(ticket ? [['ticket', ticket]] : [])]
  return names.map((name) => computeKeyedHash(secretKey, 'account.code-asker', ...name))
}

/** HMAC of a code under the installation's key: a million possible codes could be brute-forced from a copy of the database. */
export function computeCodeHmac(secretKey: Buffer, { purpose, kind, target, owner }: CodeBinding, code: string): Buffer {
  return computeKeyedHash(secretKey, 'account.code', purpose, kind, target, owner, code)
}

/** Pseudonym of an e-mail or a mobile for the audit: equal ones match, none can be read. */
export function pseudonymizeTarget(secretKey: Buffer, { kind, subject }: Pick<ContactTarget, 'kind' | 'subject'>): string {
  const name = computeKeyedHash(secretKey, 'account.audit', subject).toString('hex').slice(0, 16)
  return `${kind}:${name}`
}

/** HMAC over an unambiguous list of words; the first names its purpose. */
export function computeKeyedHash(secretKey: Buffer, ...words: readonly string[]): Buffer {
  return createHmac('sha256', secretKey).update(JSON.stringify(words)).digest()
}

/** Proves a user's id to a support widget: hex HMAC-SHA256 under a separate key. */
export function computeSupportHash(secretKey: Buffer, userId: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'account.support', 32))
  return createHmac('sha256', key).update(userId).digest('hex')
}
