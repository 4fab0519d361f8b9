import type { Ctx, Deps, KeyedRows, SealedColumn } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { identityContract } from '../contract.ts'
import { ensurePerson, lockPerson, type PersonRow, countNumbersByKey, selectSealedKey } from './data.ts'
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deriveKey, seal, unseal } from '#platform/server/sealing/seal.ts'

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
const digestText = (key: Buffer, purpose: string, text: string): Buffer => createHmac('sha256', deriveKey(key, purpose)).update(text).digest()

/** One hash per installation key, current key first: a number is found under any key it was stored with. */
export const digestIdentityNumber = ({ secretKeys }: Keys, paper: string, number: string): Buffer[] =>
  secretKeys.map((key) => createHmac('sha256', deriveKey(key, NUMBER)).update(`${paper}:${number}`).digest())

/** Columns that `npm run secrets:reseal` renews: only the users' keys; the data they seal stays as is. */
export const identitySealed: readonly SealedColumn[] = [{ table: 'identity_people', column: 'sealed_key', id: 'user_id', owner: 'user_id', purpose: KEY }]

export const numbersKeyed: KeyedRows = { name: 'identity numbers', countByKey: countNumbersByKey }

export type IdentityPayload = InputOf<typeof identityContract.accountCreate>
/** Stored data of the holder, as confirmed, without the pictures. */
export type IdentityPerson = Omit<IdentityPayload, 'files' | 'confirmed'>
export type IdentityDraft = InputOf<typeof identityContract.saveDraft>

const PERSON = 'identity.person'
const DRAFT = 'identity.draft'
const SUBJECT = 'identity.subject'

/** Locks the caller's row and returns it with its key; creates it if there is none. */
export async function lockOwnPerson(ctx: Ctx, tx: Tx): Promise<{ row: PersonRow; key: Buffer }> {
  await ensurePerson(tx, ctx.userId, { sealedKey: createSealedKey(ctx, ctx.userId), now: ctx.clock.now() })
  const row = (await lockPerson(tx, ctx.userId))!
  return { row, key: (await readDataKey(ctx, tx, ctx.userId))! }
}

/** Refuses a person whose verification has ended. */
export function requireOpenVerification({ status, reason }: PersonRow): void {
  if (reason === 'us_taxpayer') fail('IDENTITY_US_TAXPAYER')
  if (status === 'rejected') fail('IDENTITY_REJECTED')
  if (status === 'passed') fail('IDENTITY_DONE')
}

export const sealPerson = (key: Buffer, userId: string, person: IdentityPerson): Buffer =>
  sealText(key, PERSON, { owner: userId, text: JSON.stringify(person) })
export const openPerson = (key: Buffer, userId: string, sealed: Buffer): IdentityPerson =>
  JSON.parse(openText(key, PERSON, { owner: userId, sealed })) as IdentityPerson
/** Digest of the data that a face check covers and its supplier receives. An address or a Latin spelling may change without a new check. */
export const digestFaceSubject = (key: Buffer, { paper, chineseName, number }: Pick<IdentityPerson, 'paper' | 'chineseName' | 'number'>): Buffer =>
  digestText(key, SUBJECT, JSON.stringify([paper, chineseName, number]))
export const sealDraft = (key: Buffer, userId: string, draft: IdentityDraft): Buffer => sealText(key, DRAFT, { owner: userId, text: JSON.stringify(draft) })
export const openDraft = (key: Buffer, userId: string, sealed: Buffer): IdentityDraft =>
  JSON.parse(openText(key, DRAFT, { owner: userId, sealed })) as IdentityDraft

/** Saved data of a user, decrypted, for the issuer, the face check and the user's export. Never logged. */
export async function readSavedPerson(deps: Pick<Deps, 'secretKey' | 'secretKeys'>, sql: Sql, row: PersonRow): Promise<IdentityPerson | undefined> {
  if (!row.sealedPerson) return undefined
  const key = await readDataKey(deps, sql, row.userId)
  return key && openPerson(key, row.userId, row.sealedPerson)
}

/** 4403**********0009. */
export const maskIdentityNumber = (number: string): string => `${number.slice(0, 4)}${'*'.repeat(Math.max(number.length - 8, 2))}${number.slice(-4)}`
