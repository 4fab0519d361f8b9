import { keepMarks, markOf } from '#features/risk/server/door.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { birthdayIn } from '#platform/shared/identity-number.ts'
import { keyId } from '#platform/server/sealing/seal.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import type { Flow } from '../../contract.ts'
import type { Reading } from '../../contract-papers.ts'
import { claimNumber, noteSave, savesSince, setPerson } from '../data.ts'
import { numberDigests } from '../secrets.ts'
import { minimumAge, savesPerDay } from '../settings.ts'
import { screeningOf } from '../screening/index.ts'
import { keptFiles } from '../uploads/data.ts'
import { openReading } from '../ocr/readings.ts'
import { compare } from './compare.ts'
import { ownRow, requireOpen, sealPerson } from './person.ts'
import type { Payload, Person } from './person.ts'
import { flowOf } from './read-flow.ts'
import { requireStep } from './steps.ts'

const DAY_MS = 86_400_000
const NEEDED = { idcard: ['idFront', 'idBack'], passport: ['passport'] } as const

/** Saves who the holder is. Everything is tested again here: the page only helps. */
export async function saveIdentity(ctx: Ctx, payload: Payload): Promise<Flow> {
  const now = ctx.clock.now()
  requireAge(payload, await ctx.settings.get(minimumAge), shanghaiDay(now))
  if (!/^\d{6}$/.test(payload.postalCode)) fail('POSTAL_CODE_WRONG')
  if (payload.validUntil !== 'forever' && payload.validUntil < shanghaiDay(now)) fail('PAPER_EXPIRED')
  const most = await ctx.settings.get(savesPerDay)
  const listed = await screeningOf(ctx).isListed(payload)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await ownRow(ctx, tx)
    requireOpen(row)
    requireStep(row, 'papers')
    if (row.method === 'face' && payload.paper === 'passport') fail('FACE_NEEDS_IDCARD')
    const saves = await savesSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))
    if (saves.count >= most) fail('NO_FACE_LIMIT', { retryAt: shanghaiTime(new Date(saves.oldest!.getTime() + DAY_MS)).slice(0, 16) })
    const readings = await readingsOf(ctx, tx, key, payload)
    compare(payload, readings)
    const owner = await claimNumber(tx, ctx.userId, numberDigests(ctx, payload.paper, payload.number), keyId(ctx.secretKey))
    await keepMarks(tx, ctx.userId, [markOf(ctx, 'person', `${payload.paper}:${payload.number}`)], now)
    const reason = listed ? 'listed' : owner !== ctx.userId ? 'second_account' : null
    await noteSave(tx, ctx.userId, row.method!, now)
    await setPerson(tx, ctx.userId, now, {
      status: reason ? 'review' : 'saved',
      reason,
      paper: payload.paper,
      sealed_person: sealPerson(key, ctx.userId, personIn(payload)),
      sealed_draft: null,
      saved_at: now,
    })
    await tx.audit('identity.saved', `user:${ctx.userId}`, { paper: payload.paper, method: row.method, review: reason })
    return flowOf(ctx, tx)
  })
}

/** By the paper's own number where it holds a birthday: the field may be typed. */
function requireAge({ paper, number, birthDate }: Payload, years: number, today: string): void {
  if (paper === 'idcard' && birthdayIn(number) !== birthDate) fail('BAD_INPUT', { fields: ['birthDate'] })
  const adult = `${Number(birthDate.slice(0, 4)) + years}${birthDate.slice(4)}`
  if (adult > today) fail('IDENTITY_TOO_YOUNG')
}

async function readingsOf(ctx: Ctx, tx: Parameters<typeof keptFiles>[0], key: Buffer, { paper, files }: Payload): Promise<Reading[]> {
  const missing = NEEDED[paper].filter((purpose) => !files[purpose])
  if (missing.length) fail('PAPER_MISSING', { purposes: missing })
  const named = NEEDED[paper].map((purpose) => ({ purpose, id: files[purpose]! }))
  const kept = await keptFiles(tx, ctx.userId, [...named.map(({ id }) => id), ...(files.photo ? [files.photo] : [])])
  for (const { purpose, id } of named) if (!kept.some((file) => file.id === id && file.purpose === purpose)) fail('UPLOAD_NOT_FOUND')
  if (files.photo && !kept.some((file) => file.id === files.photo && file.purpose === 'photo')) fail('UPLOAD_NOT_FOUND')
  return kept.flatMap((file) => (file.sealed_reading ? [openReading(key, file.id, file.sealed_reading)] : []))
}

function personIn({ files: _, confirmed: __, ...person }: Payload): Person {
  return person
}
