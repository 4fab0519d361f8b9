import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { findContact } from '#features/account/server/door.ts'
import { OPENING_STEPS } from '../contract-words.ts'
import type { IdentityMethod, VerificationStatus } from '../contract-words.ts'
import { lockPerson, selectPerson, updatePerson } from './data.ts'
import type { PersonRow } from './data.ts'
import { selectNewestCheck } from './face/data.ts'
import { queryCheck } from './face/settle-check.ts'
import { toCardholder } from './flow/holder.ts'
import type { Cardholder } from './flow/holder.ts'
import { readSavedPerson } from './person.ts'
import { findOpenStep } from './steps.ts'
import { selectOwnFile } from './uploads/data.ts'
import { PDF_TYPE, decryptPicture } from './uploads/verbs.ts'

export { toCardholder } from './flow/holder.ts'
export type { Cardholder } from './flow/holder.ts'
export { findUnreadable } from './flow/pinyin.ts'

export interface IdentityStatus {
  readonly status: VerificationStatus
  readonly method: IdentityMethod | null
  /** The face check is passed and no review is open. */
  readonly verified: boolean
  readonly isTaxResidentUS: boolean
  /** Step number, from 1 (notice) to 6 (payment). */
  readonly step: number
  /** Last time the holder's data was saved. */
  readonly savedAt: Date | null
}

export async function readIdentityStatus(sql: Sql, userId: string): Promise<IdentityStatus> {
  const row = await selectPerson(sql, userId)
  return {
    status: row?.status ?? 'none',
    method: row?.method ?? null,
    verified: row?.status === 'passed' || (row?.status === 'saved' && row.savedAt !== null && row.facePassedAt !== null),
    isTaxResidentUS: row?.taxpayer === true,
    step: OPENING_STEPS.indexOf(findOpenStep(row)) + 1,
    savedAt: row?.savedAt ?? null,
  }
}

/** Holder's data for the issuer only: never logged, never stored. Undefined if the data is deleted or incomplete for an issuer. */
export async function readCardholder(deps: Pick<Deps, 'db' | 'secretKey' | 'secretKeys'>, userId: string, sql: Sql = deps.db): Promise<Cardholder | undefined> {
  const row = await selectPerson(sql, userId)
  const person = row && (await readSavedPerson(deps, sql, row))
  const contact = await findContact(sql, userId)
  const email = person?.email || contact?.email
  return person && contact && email ? toCardholder(person, email, contact.mobile || undefined) : undefined
}

/** Unlocks the data for correction after an issuer refused it; a passed face check stays valid for the same person. */
export async function allowCorrection(tx: Tx, userId: string, now: Date): Promise<void> {
  const row = await lockPerson(tx, userId)
  if (row?.paidAt) await updatePerson(tx, userId, { now, values: { paidAt: null, ...(row.status === 'passed' ? { status: 'saved' } : {}) } })
}

/** Requires a user who may pay for a card; the error leads to the open step. */
export async function requireReady(sql: Sql, userId: string): Promise<void> {
  const row = await selectPerson(sql, userId)
  if (row?.reason === 'us_taxpayer') fail('IDENTITY_US_TAXPAYER')
  if (row?.status === 'rejected') fail('IDENTITY_REJECTED')
  const step = findOpenStep(row)
  if (row && step === 'face') await refuseFace(sql, row)
  if (step !== 'payment') fail('IDENTITY_STEP_MISSING', { step })
  if (row?.status === 'review') fail('IDENTITY_IN_REVIEW')
}

async function refuseFace(sql: Sql, { userId }: PersonRow): Promise<void> {
  const last = await selectNewestCheck(sql, userId)
  fail(last?.state === 'other' ? 'IDENTITY_MISMATCH' : 'FACE_NOT_PASSED')
}

/** Queries the result of the caller's open face check, unless it is known. */
export async function queryFaceCheck(ctx: Ctx): Promise<void> {
  const last = await selectNewestCheck(ctx.db, ctx.userId)
  if (last) await queryCheck(ctx, ctx.actor, last)
}

/** A user's own evidence picture, redrawn; undefined if it belongs to another user, has another purpose, or is deleted. */
export async function readEvidence(deps: Deps, userId: string, filePath: string): Promise<{ name: string; type: string; body: Uint8Array } | undefined> {
  const row = await selectOwnFile(deps.db, userId, filePath)
  if (row?.state !== 'kept' || row.purpose !== 'evidence') return undefined
  const [type, end] = row.type === PDF_TYPE ? [PDF_TYPE, 'pdf'] : ['image/jpeg', 'jpg']
  return { name: `${filePath}.${end}`, type, body: new Uint8Array(await decryptPicture(deps, row)) }
}

/** Marks the opening as paid, after which the user cannot change the data. Runs in the caller's transaction. */
export async function markPaid(tx: Tx, userId: string, now: Date): Promise<void> {
  const row = await lockPerson(tx, userId)
  if (row && !row.paidAt) await updatePerson(tx, userId, { now, values: { paidAt: now } })
}
