import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { CodePurpose } from '../../contract.ts'
import type { Target } from '../target.ts'

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
  readonly kind: Target['kind']
  readonly target: string
  readonly owner: string
}

/** Purposes that serve somebody who is not signed in; the code of any other belongs to the user who asked for it. */
const FOR_ANYBODY: readonly CodePurpose[] = ['login', 'register', 'updatePassword']

export function codeUse(purpose: CodePurpose, target: Target, userId: string): CodeUse {
  return { purpose, kind: target.kind, target: target.subject, owner: FOR_ANYBODY.includes(purpose) ? '' : userId }
}

/**
 * Who asks for a code or guesses at one: the user who is signed in, and who holds the ticket that went out with the code. Never
 * empty for who asks: give a ticket.
 */
export function askersOf(secretKey: Buffer, userId: string, ticket: string | undefined): Buffer[] {
  const names = [...(userId ? [['user', userId]] : []), ...(ticket ? [['ticket', ticket]] : [])]
  return names.map((name) => keyed(secretKey, 'account.code-asker', ...name))
}

/** A million codes are no secret by themselves: only the key keeps a copy of the database from telling them. */
export function codeHmac(secretKey: Buffer, { purpose, kind, target, owner }: CodeUse, code: string): Buffer {
  return keyed(secretKey, 'account.code', purpose, kind, target, owner, code)
}

/** A name for an e-mail or a mobile in the audit: equal ones can be matched, none can be read. */
export function maskedTarget(secretKey: Buffer, { kind, subject }: Pick<Target, 'kind' | 'subject'>): string {
  const name = keyed(secretKey, 'account.audit', subject).toString('hex').slice(0, 16)
  return `${kind}:${name}`
}

/** HMAC over an unambiguous list of words; the first says what it is for. */
export function keyed(secretKey: Buffer, ...words: readonly string[]): Buffer {
  return createHmac('sha256', secretKey).update(JSON.stringify(words)).digest()
}

/** Proves a user's id to a support widget: hex HMAC-SHA256 under a key of its own. */
export function supportHash(secretKey: Buffer, userId: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'account.support', 32))
  return createHmac('sha256', key).update(userId).digest('hex')
}
