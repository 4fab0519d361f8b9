import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { deriveKey, findSealingKey, seal, unseal } from '#platform/server/sealing/seal.ts'
import { insertKey, findSealedKey } from './data.ts'

const KEY = 'mailbox.key'
/** Lifetime of a signed URL of a mail's page or file. */
const ADDRESS_TTL_SECONDS = 300

/** Columns that `npm run secrets:reseal` reseals: the users' keys. Data sealed with these keys stays unchanged. */
export const mailboxSealed: readonly SealedColumn[] = [{ table: 'mailbox_keys', column: 'sealed_key', id: 'user_id', owner: 'user_id', purpose: KEY }]

type Keys = Pick<Deps, 'secretKey' | 'secretKeys'>

/** A user's mail key, created with the first mailbox; undefined once the user's data was deleted. */
export async function loadMailKey(keys: Keys, sql: Sql, userId: string): Promise<Buffer | undefined> {
  const sealed = await findSealedKey(sql, userId)
  return sealed && Buffer.from(unseal(keys.secretKeys, KEY, { owner: userId, sealed }), 'base64')
}
export async function ensureMailKey(keys: Keys, sql: Sql, userId: string): Promise<void> {
  await insertKey(sql, userId, seal(keys.secretKey, KEY, { owner: userId, text: randomBytes(32).toString('base64') }))
}

/** AES-256-GCM bound to the row: nonce, tag, then ciphertext. */
export function sealMailBytes(key: Buffer, owner: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'mailbox.mail'), nonce).setAAD(Buffer.from(owner))
  // Concatenated once: each copy of 10 MB blocks the event loop for some milliseconds.
  const [body, end] = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), body, end])
}
export function openMailBytes(key: Buffer, owner: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, 'mailbox.mail'), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

const computeSignature = (secretKey: Buffer, userId: string, { what, until }: { readonly what: string; readonly until: number }) =>
  createHmac('sha256', deriveKey(secretKey, 'mailbox.address')).update(`${userId}\n${what}\n${until}`).digest()

/** Query string of a URL that shows `what` of one user for five minutes. */
export function signMailAddress({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string, what: string): string {
  const until = Math.floor(clock.now().getTime() / 1000) + ADDRESS_TTL_SECONDS
  return `u=${userId}&until=${until}&sign=${computeSignature(secretKey, userId, { what, until }).toString('base64url')}`
}
export function isMailAddressSigned({ secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>, what: string, query: Readonly<Record<string, string>>): boolean {
  const until = Number(query['until'])
  const now = clock.now().getTime() / 1000
  if (!(until >= now) || until > now + ADDRESS_TTL_SECONDS + 1) return false
  return (
    findSealingKey(secretKeys, Buffer.from(query['sign'] ?? '', 'base64url'), (key) => computeSignature(key, query['u'] ?? '', { what, until })) !== undefined
  )
}
