import { storeMarks, hashMark } from '#features/risk/server/door.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { readBirthday } from '#platform/shared/identity-number.ts'
import { computeKeyId } from '#platform/server/sealing/seal.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import type { OpeningFlow } from '../../contract.ts'
import type { PaperReading, FieldReading } from '../../contract-papers.ts'
import type { IdentityMethod, IdentityPicture, PaperField } from '../../contract-words.ts'
import { claimNumber, insertSave, countSavesSince, updatePerson } from '../data.ts'
import type { PersonRow } from '../data.ts'
import { endOpenCheck } from '../face/data.ts'
import { digestIdentityNumber, openPerson, lockOwnPerson, requireOpenVerification, sealPerson, digestFaceSubject } from '../person.ts'
import { minimumAge, savesPerDay } from '../settings.ts'
import { createScreening } from '../screening/index.ts'
import { selectStoredFiles } from '../uploads/data.ts'
import { toPaperReading } from '../ocr/readings.ts'
import type { IdentityPayload, IdentityPerson } from '../person.ts'
import { listRequiredPictures, requireStep } from '../steps.ts'
import { toCardholder } from './holder.ts'
import { findUnreadable } from './pinyin.ts'
import { readFlow } from './read-flow.ts'

/** Payload field of each reading. */
const TYPED: Partial<Record<PaperField, (it: IdentityPayload) => string>> = {
  chineseName: (it) => it.chineseName,
  latinName: (it) => `${it.lastName},${it.firstName}`,
  number: (it) => it.number,
  birthDate: (it) => it.birthDate,
  address: (it) => it.street,
  issuer: (it) => it.issuer,
  validUntil: (it) => it.validUntil,
}

const normalize = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Compares the typed data with the readings. A number with a correct check digit and a name read as sure are authoritative; readings that are
 * not sure, or differ from a sure one, need the user's confirmation.
 */
function requireMatchingReadings(payload: IdentityPayload, readings: readonly PaperReading[]): void {
  const open: string[] = []
  for (const field of readings.flatMap(({ fields }) => fields)) {
    const typed = TYPED[field.name]?.(payload)
    if (typed === undefined) continue
    const same = normalize(typed) === normalize(field.value)
    if (field.sure && !same) requireSameValue(field, typed)
    if ((!field.sure || !same) && !payload.confirmed.includes(field.name)) open.push(field.name)
  }
  if (open.length) fail('CONFIRM_MISSING', { fields: [...new Set(open)] })
}

function requireSameValue({ name, value, proof }: FieldReading, typed: string): void {
  if (name === 'number' && proof === 'checkDigit') fail('IDENTITY_MISMATCH')
  if (name === 'chineseName') fail('NAME_MISMATCH', { typed, paper: value })
  if (name === 'birthDate' && proof !== 'read') fail('IDENTITY_MISMATCH')
}

const DAY_MS = 86_400_000

/** Saves the holder's data. Validates everything again; the checks of the page are only a convenience. */
export async function saveIdentity(ctx: Ctx, payload: IdentityPayload): Promise<OpeningFlow> {
  const now = ctx.clock.now()
  requireAge(payload, await ctx.settings.get(minimumAge), toShanghaiDay(now))
  if (!/^\d{6}$/.test(payload.postalCode)) fail('POSTAL_CODE_WRONG')
  requireReadable(payload)
  if (payload.validUntil !== 'forever' && payload.validUntil < toShanghaiDay(now)) fail('PAPER_EXPIRED')
  const most = await ctx.settings.get(savesPerDay)
  const listed = await createScreening(ctx).isListed(payload)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await lockOwnPerson(ctx, tx)
    requireOpenVerification(row)
    // The issuer may have received the holder's data.
    if (row.paidAt) fail('IDENTITY_DONE')
    requireStep(row, 'papers')
    if (row.method === 'face' && payload.paper === 'passport') fail('FACE_NEEDS_IDCARD')
    const saves = await countSavesSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))
    if (saves.count >= most) fail('NO_FACE_LIMIT', { retryAt: toShanghaiTime(new Date(saves.oldest!.getTime() + DAY_MS)).slice(0, 16) })
    const files = requireFiles(payload, row.method)
    const readings = await readReadings(ctx, tx, { key, files })
    requireMatchingReadings(payload, readings)
    const owner = await claimNumber(tx, ctx.userId, { digests: digestIdentityNumber(ctx, payload.paper, payload.number), keyId: computeKeyId(ctx.secretKey) })
    await storeMarks(tx, ctx.userId, { marks: [hashMark(ctx, 'person', `${payload.paper}:${payload.number}`)], now })
    const reason = listed ? 'listed' : owner !== ctx.userId ? 'second_account' : null
    await insertSave(tx, ctx.userId, { method: row.method!, now })
    const facePassedAt = await findFacePassedAt(tx, row, { key, payload, now })
    const isPassed = !reason && facePassedAt !== null
    await updatePerson(tx, ctx.userId, {
      now,
      values: {
        status: reason ? 'review' : isPassed ? 'passed' : 'saved',
        reason,
        facePassedAt,
        paper: payload.paper,
        sealedPerson: sealPerson(key, ctx.userId, toPerson(payload)),
        sealedDraft: null,
        savedAt: now,
      },
    })
    await tx.audit('identity.saved', `user:${ctx.userId}`, { paper: payload.paper, method: row.method, review: reason })
    if (isPassed) await tx.emit('identity.passed', { userId: ctx.userId })
    return readFlow(ctx, tx)
  })
}

/** Time at which the face was passed, if for the same person. A face shown for other data, then or now, proves nothing about this data. */
async function findFacePassedAt(
  tx: Tx,
  row: PersonRow,
  { key, payload, now }: { readonly key: Buffer; readonly payload: IdentityPayload; readonly now: Date },
): Promise<Date | null> {
  const subject = digestFaceSubject(key, payload)
  await endOpenCheck(tx, row.userId, { now, but: subject })
  const isSame = row.sealedPerson !== null && digestFaceSubject(key, openPerson(key, row.userId, row.sealedPerson)).equals(subject)
  return isSame ? row.facePassedAt : null
}

/** Issuers read Latin letters: refuses a character without a Latin form instead of leaving it out silently. */
function requireReadable(payload: IdentityPayload): void {
  const { province, city, county, street } = payload
  if (!province && !city) fail('BAD_INPUT', { fields: ['province'] })
  const signs = findUnreadable(`${province}${city}${county}${street}`)
  if (signs.length) fail('ADDRESS_UNREADABLE', { signs: signs.join(' ') })
  if (!toCardholder(payload, '')) fail('BAD_INPUT', { fields: ['street'] })
}

/** Uses the paper's number if it contains the birthday, because the field may be typed. */
function requireAge({ paper, number, birthDate }: IdentityPayload, years: number, today: string): void {
  if (paper === 'idcard' && readBirthday(number) !== birthDate) fail('BAD_INPUT', { fields: ['birthDate'] })
  const adult = `${Number(birthDate.slice(0, 4)) + years}${birthDate.slice(4)}`
  if (adult > today) fail('IDENTITY_TOO_YOUNG')
}

interface SentFile {
  readonly purpose: IdentityPicture
  readonly id: string
}

/** All required pictures, plus an optional photo. Errors: PAPER_MISSING with `purposes`. */
function requireFiles({ paper, files }: IdentityPayload, method: IdentityMethod | null): SentFile[] {
  const needed = listRequiredPictures(paper, method)
  const missing = needed.filter((purpose) => !files[purpose])
  if (missing.length) fail('PAPER_MISSING', { purposes: missing })
  return [...new Set<IdentityPicture>([...needed, 'photo'])].flatMap((purpose) => (files[purpose] ? [{ purpose, id: files[purpose] }] : []))
}

async function readReadings(ctx: Ctx, tx: Tx, { key, files }: { readonly key: Buffer; readonly files: readonly SentFile[] }): Promise<PaperReading[]> {
  const kept = await selectStoredFiles(
    tx,
    ctx.userId,
    files.map(({ id }) => id),
  )
  for (const { purpose, id } of files) if (!kept.some((file) => file.id === id && file.purpose === purpose)) fail('UPLOAD_NOT_FOUND')
  return kept.flatMap((file) => toPaperReading(key, file) ?? [])
}

function toPerson({ files: _, confirmed: __, ...person }: IdentityPayload): IdentityPerson {
  return person
}
