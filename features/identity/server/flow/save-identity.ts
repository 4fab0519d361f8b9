import { keepMarks, markOf } from '#features/risk/server/door.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { birthdayIn } from '#platform/shared/identity-number.ts'
import { keyId } from '#platform/server/sealing/seal.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import type { Flow } from '../../contract.ts'
import type { Reading } from '../../contract-papers.ts'
import type { Method, Picture } from '../../contract-words.ts'
import { claimNumber, noteSave, savesSince, setPerson } from '../data.ts'
import type { PersonRow } from '../data.ts'
import { endOpenCheck } from '../face/data.ts'
import { numberDigests } from '../secrets.ts'
import { minimumAge, savesPerDay } from '../settings.ts'
import { screeningOf } from '../screening/index.ts'
import { keptFiles } from '../uploads/data.ts'
import { readingOf } from '../ocr/readings.ts'
import { openPerson, ownRow, requireOpen, sealPerson, subjectOf } from '../person.ts'
import type { Payload, Person } from '../person.ts'
import { picturesFor, requireStep } from '../steps.ts'
import { compare } from './compare.ts'
import { holderFrom } from './holder.ts'
import { unreadableIn } from './pinyin.ts'
import { flowOf } from './read-flow.ts'

const DAY_MS = 86_400_000

/** Saves who the holder is. Everything is tested again here: the page only helps. */
export async function saveIdentity(ctx: Ctx, payload: Payload): Promise<Flow> {
  const now = ctx.clock.now()
  requireAge(payload, await ctx.settings.get(minimumAge), shanghaiDay(now))
  if (!/^\d{6}$/.test(payload.postalCode)) fail('POSTAL_CODE_WRONG')
  requireReadable(payload)
  if (payload.validUntil !== 'forever' && payload.validUntil < shanghaiDay(now)) fail('PAPER_EXPIRED')
  const most = await ctx.settings.get(savesPerDay)
  const listed = await screeningOf(ctx).isListed(payload)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await ownRow(ctx, tx)
    requireOpen(row)
    // The issuer may have been told who it is.
    if (row.paid_at) fail('IDENTITY_DONE')
    requireStep(row, 'papers')
    if (row.method === 'face' && payload.paper === 'passport') fail('FACE_NEEDS_IDCARD')
    const saves = await savesSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))
    if (saves.count >= most) fail('NO_FACE_LIMIT', { retryAt: shanghaiTime(new Date(saves.oldest!.getTime() + DAY_MS)).slice(0, 16) })
    const files = filesOf(payload, row.method)
    const readings = await readingsOf(ctx, tx, key, files)
    compare(payload, readings)
    const owner = await claimNumber(tx, ctx.userId, numberDigests(ctx, payload.paper, payload.number), keyId(ctx.secretKey))
    await keepMarks(tx, ctx.userId, [markOf(ctx, 'person', `${payload.paper}:${payload.number}`)], now)
    const reason = listed ? 'listed' : owner !== ctx.userId ? 'second_account' : null
    await noteSave(tx, ctx.userId, row.method!, now)
    const facePassedAt = await faceOf(tx, row, key, payload, now)
    const isPassed = !reason && facePassedAt !== null
    await setPerson(tx, ctx.userId, now, {
      status: reason ? 'review' : isPassed ? 'passed' : 'saved',
      reason,
      face_passed_at: facePassedAt,
      paper: payload.paper,
      sealed_person: sealPerson(key, ctx.userId, personIn(payload)),
      sealed_draft: null,
      saved_at: now,
    })
    await tx.audit('identity.saved', `user:${ctx.userId}`, { paper: payload.paper, method: row.method, review: reason })
    if (isPassed) await tx.emit('identity.passed', { userId: ctx.userId })
    return flowOf(ctx, tx)
  })
}

/** When the face was passed, if it was for the same person: what was shown for other data proves nothing of these, nor will what is being shown. */
async function faceOf(tx: Tx, row: PersonRow, key: Buffer, payload: Payload, now: Date): Promise<Date | null> {
  const subject = subjectOf(key, payload)
  await endOpenCheck(tx, row.user_id, now, subject)
  const isSame = row.sealed_person !== null && subjectOf(key, openPerson(key, row.user_id, row.sealed_person)).equals(subject)
  return isSame ? row.face_passed_at : null
}

/** An issuer reads Latin letters: a character without any is refused here, not left out without a word. */
function requireReadable(payload: Payload): void {
  const { province, city, county, street } = payload
  if (!province && !city) fail('BAD_INPUT', { fields: ['province'] })
  const signs = unreadableIn(`${province}${city}${county}${street}`)
  if (signs.length) fail('ADDRESS_UNREADABLE', { signs: signs.join(' ') })
  if (!holderFrom(payload, '')) fail('BAD_INPUT', { fields: ['street'] })
}

/** By the paper's own number where it holds a birthday: the field may be typed. */
function requireAge({ paper, number, birthDate }: Payload, years: number, today: string): void {
  if (paper === 'idcard' && birthdayIn(number) !== birthDate) fail('BAD_INPUT', { fields: ['birthDate'] })
  const adult = `${Number(birthDate.slice(0, 4)) + years}${birthDate.slice(4)}`
  if (adult > today) fail('IDENTITY_TOO_YOUNG')
}

interface Sent {
  readonly purpose: Picture
  readonly id: string
}

/** All required pictures, plus an optional photo. Errors: PAPER_MISSING with `purposes`. */
function filesOf({ paper, files }: Payload, method: Method | null): Sent[] {
  const needed = picturesFor(paper, method)
  const missing = needed.filter((purpose) => !files[purpose])
  if (missing.length) fail('PAPER_MISSING', { purposes: missing })
  return [...new Set<Picture>([...needed, 'photo'])].flatMap((purpose) => (files[purpose] ? [{ purpose, id: files[purpose] }] : []))
}

async function readingsOf(ctx: Ctx, tx: Tx, key: Buffer, files: readonly Sent[]): Promise<Reading[]> {
  const kept = await keptFiles(
    tx,
    ctx.userId,
    files.map(({ id }) => id),
  )
  for (const { purpose, id } of files) if (!kept.some((file) => file.id === id && file.purpose === purpose)) fail('UPLOAD_NOT_FOUND')
  return kept.flatMap((file) => readingOf(key, file) ?? [])
}

function personIn({ files: _, confirmed: __, ...person }: Payload): Person {
  return person
}
