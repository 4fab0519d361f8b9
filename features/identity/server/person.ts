import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { identityContract } from '../contract.ts'
import { ensurePerson, lockPerson } from './data.ts'
import type { PersonRow } from './data.ts'
import { readDataKey, digestText, createSealedKey, openText, sealText } from './secrets.ts'

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
