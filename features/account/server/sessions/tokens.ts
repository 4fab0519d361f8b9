import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { CodePurpose } from '../../contract.ts'
import type { Target } from '../target.ts'

/** 256 random bits; only the hash is stored, so a copy of the database opens no session. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/** Binding of a code. `owner` is the signed-in user it was sent for, or empty. */
export interface CodeUse {
  readonly purpose: CodePurpose
  readonly kind: Target['kind']
  readonly target: string
  readonly owner: string
}

/** Purposes that need no session; codes of other purposes belong to the user who requested them. */
const FOR_ANYBODY: readonly CodePurpose[] = ['login', 'register', 'updatePassword']

export function codeUse(purpose: CodePurpose, target: Target, userId: string): CodeUse {
  return { purpose, kind: target.kind, target: target.subject, owner: FOR_ANYBODY.includes(purpose) ? '' : userId }
}

/**
 * Identifies who requests or guesses a code: the signed-in user, and the holder of the ticket that was returned with it. A requester always
 * needs at least one, so pass a ticket without a session.
 */
export function askersOf(secretKey: Buffer, userId: string, ticket: string | undefined): Buffer[] {
  const names = [...(userId ? [['user', userId]] : []), ...(ticket ? [['ticket', ticket]] : [])]
  return names.map((name) => keyed(secretKey, 'account.code-asker', ...name))
}

/** HMAC of a code under the installation's key: a million possible codes could be brute-forced from a copy of the database. */
export function codeHmac(secretKey: Buffer, { purpose, kind, target, owner }: CodeUse, code: string): Buffer {
  return keyed(secretKey, 'account.code', purpose, kind, target, owner, code)
}

/** Pseudonym of an e-mail or a mobile for the audit: equal ones match, none can be read. */
export function maskedTarget(secretKey: Buffer, { kind, subject }: Pick<Target, 'kind' | 'subject'>): string {
  const name = keyed(secretKey, 'account.audit', subject).toString('hex').slice(0, 16)
  return `${kind}:${name}`
}

/** HMAC over an unambiguous list of words; the first names its purpose. */
export function keyed(secretKey: Buffer, ...words: readonly string[]): Buffer {
  return createHmac('sha256', secretKey).update(JSON.stringify(words)).digest()
}

/** Proves a user's id to a support widget: hex HMAC-SHA256 under a separate key. */
export function supportHash(secretKey: Buffer, userId: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'account.support', 32))
  return createHmac('sha256', key).update(userId).digest('hex')
}
