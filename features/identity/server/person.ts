import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { identityContract } from '../contract.ts'
import { beginPerson, lockPerson } from './data.ts'
import type { PersonRow } from './data.ts'
import { dataKey, digestText, newSealedKey, openText, sealText } from './secrets.ts'

export type Payload = InputOf<typeof identityContract.accountCreate>
/** Data kept of the holder, as confirmed, without the pictures. */
export type Person = Omit<Payload, 'files' | 'confirmed'>
export type Draft = InputOf<typeof identityContract.saveDraft>

const PERSON = 'identity.person'
const DRAFT = 'identity.draft'
const SUBJECT = 'identity.subject'

/** The caller's row, locked, with its key; made where there is none. */
export async function ownRow(ctx: Ctx, tx: Tx): Promise<{ row: PersonRow; key: Buffer }> {
  await beginPerson(tx, ctx.userId, newSealedKey(ctx, ctx.userId), ctx.clock.now())
  const row = (await lockPerson(tx, ctx.userId))!
  return { row, key: (await dataKey(ctx, tx, ctx.userId))! }
}

/** Refuses a person whose verification has ended. */
export function requireOpen({ status, reason }: PersonRow): void {
  if (reason === 'us_taxpayer') fail('IDENTITY_US_TAXPAYER')
  if (status === 'rejected') fail('IDENTITY_REJECTED')
  if (status === 'passed') fail('IDENTITY_DONE')
}

export const sealPerson = (key: Buffer, userId: string, person: Person): Buffer => sealText(key, PERSON, userId, JSON.stringify(person))
export const openPerson = (key: Buffer, userId: string, sealed: Buffer): Person => JSON.parse(openText(key, PERSON, userId, sealed)) as Person
/** Digest of the data that a face check covers and its supplier receives. An address or a Latin spelling may change without a new check. */
export const subjectOf = (key: Buffer, { paper, chineseName, number }: Pick<Person, 'paper' | 'chineseName' | 'number'>): Buffer =>
  digestText(key, SUBJECT, JSON.stringify([paper, chineseName, number]))
export const sealDraft = (key: Buffer, userId: string, draft: Draft): Buffer => sealText(key, DRAFT, userId, JSON.stringify(draft))
export const openDraft = (key: Buffer, userId: string, sealed: Buffer): Draft => JSON.parse(openText(key, DRAFT, userId, sealed)) as Draft

/** Saved data of a user, decrypted, for the issuer, the face check and the user's export. Never logged. */
export async function savedPerson(deps: Pick<Deps, 'secretKey' | 'secretKeys'>, sql: Sql, row: PersonRow): Promise<Person | undefined> {
  if (!row.sealed_person) return undefined
  const key = await dataKey(deps, sql, row.user_id)
  return key && openPerson(key, row.user_id, row.sealed_person)
}

/** 4403**********0009. */
export const shortNumber = (number: string): string => `${number.slice(0, 4)}${'*'.repeat(Math.max(number.length - 8, 2))}${number.slice(-4)}`
