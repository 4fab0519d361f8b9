import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { keyFor, keyThatMade, seal, unseal } from '#platform/server/sealing/seal.ts'
import { insertKey, keyOf } from './data.ts'

const KEY = 'mailbox.key'
/** How long an address of a mail's page or file is good. */
const SHOWN_SECONDS = 300

/** Columns that `npm run secrets:reseal` reseals: the users' keys. Data sealed with these keys stays unchanged. */
export const mailboxSealed: readonly SealedColumn[] = [{ table: 'mailbox_keys', column: 'sealed_key', id: 'user_id', owner: 'user_id', purpose: KEY }]

type Keys = Pick<Deps, 'secretKey' | 'secretKeys'>

/** A user's mail key, created with the first mailbox; undefined once the user's data was deleted. */
export async function mailKey(keys: Keys, sql: Sql, userId: string): Promise<Buffer | undefined> {
  const sealed = await keyOf(sql, userId)
  return sealed && Buffer.from(unseal(keys.secretKeys, KEY, userId, sealed), 'base64')
}
export async function ensureKey(keys: Keys, sql: Sql, userId: string): Promise<void> {
  await insertKey(sql, userId, seal(keys.secretKey, KEY, userId, randomBytes(32).toString('base64')))
}

/** AES-256-GCM with the row bound in: nonce, tag, then what was sealed. */
export function sealBytes(key: Buffer, owner: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, 'mailbox.mail'), nonce).setAAD(Buffer.from(owner))
  // Joined once: each copy of 10 MB holds the loop for some milliseconds.
  const [body, end] = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), body, end])
}
export function openBytes(key: Buffer, owner: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFor(key, 'mailbox.mail'), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

const signed = (secretKey: Buffer, userId: string, what: string, until: number) =>
  createHmac('sha256', keyFor(secretKey, 'mailbox.address')).update(`${userId}\n${what}\n${until}`).digest()

/** The query of an address that shows `what` of one user's for five minutes. */
export function signAddress({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string, what: string): string {
  const until = Math.floor(clock.now().getTime() / 1000) + SHOWN_SECONDS
  return `u=${userId}&until=${until}&sign=${signed(secretKey, userId, what, until).toString('base64url')}`
}
export function isSigned({ secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>, what: string, query: Readonly<Record<string, string>>): boolean {
  const until = Number(query['until'])
  const now = clock.now().getTime() / 1000
  if (!(until >= now) || until > now + SHOWN_SECONDS + 1) return false
  return keyThatMade(secretKeys, Buffer.from(query['sign'] ?? '', 'base64url'), (key) => signed(key, query['u'] ?? '', what, until)) !== undefined
}
