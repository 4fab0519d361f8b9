import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Deps, KeyedRows, SealedColumn } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { deriveKey, seal, unseal } from '#platform/server/sealing/seal.ts'
import { countNumbersByKey, selectSealedKey } from './data.ts'

const KEY = 'identity.key'
const NUMBER = 'identity.number'

type Keys = Pick<Deps, 'secretKey' | 'secretKeys'>

/** A user's own key: created once, stored sealed. Once its row is deleted, nothing it sealed can be read. */
export const createSealedKey = ({ secretKey }: Keys, userId: string): Buffer =>
  seal(secretKey, KEY, { owner: userId, text: randomBytes(32).toString('base64') })

/** The user's key; undefined once the data was deleted. */
export async function readDataKey(keys: Keys, sql: Sql, userId: string): Promise<Buffer | undefined> {
  const sealed = await selectSealedKey(sql, userId)
  return sealed ? Buffer.from(unseal(keys.secretKeys, KEY, { owner: userId, sealed }), 'base64') : undefined
}

export const sealText = (key: Buffer, purpose: string, { owner, text }: { readonly owner: string; readonly text: string }): Buffer =>
  seal(key, purpose, { owner, text })
export const openText = (key: Buffer, purpose: string, { owner, sealed }: { readonly owner: string; readonly sealed: Buffer }): string =>
  unseal([key], purpose, { owner, sealed })

/** Like `seal`, for bytes: nonce, tag, ciphertext. */
export function sealIdentityBytes(key: Buffer, owner: string, bytes: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'identity.file'), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function openIdentityBytes(key: Buffer, owner: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, 'identity.file'), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

/** Digest under the user's key; meaningless once the key is deleted. */
export const digestText = (key: Buffer, purpose: string, text: string): Buffer => createHmac('sha256', deriveKey(key, purpose)).update(text).digest()

/** One hash per installation key, current key first: a number is found under any key it was stored with. */
export const digestIdentityNumber = ({ secretKeys }: Keys, paper: string, number: string): Buffer[] =>
  secretKeys.map((key) => createHmac('sha256', deriveKey(key, NUMBER)).update(`${paper}:${number}`).digest())

/** Columns that `npm run secrets:reseal` renews: only the users' keys; the data they seal stays as is. */
export const identitySealed: readonly SealedColumn[] = [{ table: 'identity_people', column: 'sealed_key', id: 'user_id', owner: 'user_id', purpose: KEY }]

export const numbersKeyed: KeyedRows = { name: 'identity numbers', countByKey: countNumbersByKey }
