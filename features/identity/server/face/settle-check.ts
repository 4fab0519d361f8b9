import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { outcomeOf } from '#platform/shared/supplier-error.ts'
import { crashPoint } from '#platform/server/crash.ts'
import { lockPerson, setPerson } from '../data.ts'
import type { PersonRow } from '../data.ts'
import { openPerson, subjectOf } from '../person.ts'
import { dataKey } from '../secrets.ts'
import { dueChecks, endCheck, lockCheck, putOff } from './data.ts'
import type { CheckRow } from './data.ts'
import { faceCheckOf, faceTools } from './vendors/index.ts'
import type { FaceOutcome } from './vendors/port.ts'

const AGAIN_MS = 20_000

/** Queries the vendor and records the result once. The query runs before any lock; without a response nothing changes. */
export async function askCheck(deps: Deps, actor: Actor, row: CheckRow): Promise<void> {
  if (row.state !== 'processing') return
  const vendor = faceCheckOf(deps.config)
  const outcome =
    row.vendor_ref && vendor?.name === row.vendor
      ? await vendor.query(faceTools(deps), row.vendor_ref).catch((error: unknown) => unanswered(deps, error))
      : 'processing'
  await transact(deps.db, actor, async (tx) => settle(deps, tx, row, outcome))
}

/** Retries until the check expires. A check that the vendor no longer has counts as expired. */
function unanswered({ log }: Deps, error: unknown): FaceOutcome | 'expired' {
  const { kind, message, ours } = outcomeOf(error)
  log[ours ? 'error' : 'warn']({ why: message, ours }, 'a face check could not be asked about')
  return kind === 'rejected' ? 'expired' : 'processing'
}

/**
 * Records an outcome; of the page, the return and the job only the first counts. Locks the person's row before the check's: data saved in
 * parallel comes strictly before or after, so a face shown for older data verifies no one.
 */
async function settle(deps: Deps, tx: Tx, { id, user_id: userId }: CheckRow, outcome: FaceOutcome | 'expired'): Promise<void> {
  const person = await lockPerson(tx, userId)
  const row = await lockCheck(tx, id)
  if (row?.state !== 'processing') return
  const now = deps.clock.now()
  const isAbout = await isAboutThem(deps, tx, row, person)
  const over = !isAbout || (outcome === 'processing' && row.expires_at <= now) ? 'expired' : outcome
  if (over === 'processing') return putOff(tx, id, new Date(now.getTime() + AGAIN_MS))
  await endCheck(tx, id, over, now)
  await tx.audit('identity.face-ended', `user:${userId}`, { check: id, state: over })
  if (over === 'passed') await pass(tx, person!, now)
  crashPoint('identity.face-ended')
}

/** Checks if the saved data is the data that the face was shown for. */
async function isAboutThem(deps: Deps, tx: Tx, { subject }: CheckRow, row: PersonRow | undefined): Promise<boolean> {
  const key = row && (await dataKey(deps, tx, row.user_id))
  if (!key || !row.sealed_person) return false
  return subject?.equals(subjectOf(key, openPerson(key, row.user_id, row.sealed_person))) ?? false
}

/** Records a passed face. A user in review stays there: the face check does not settle the review. */
async function pass(tx: Tx, person: PersonRow, now: Date): Promise<void> {
  const { user_id: userId, status } = person
  if (!person.saved_at || person.face_passed_at) return
  await setPerson(tx, userId, now, { face_passed_at: now, ...(status === 'saved' ? { status: 'passed' } : {}) })
  await tx.audit('identity.passed', `user:${userId}`, { review: status === 'review' })
  if (status === 'saved') await tx.emit('identity.passed', { userId })
}

/** Job: queries checks that no page polls, such as after a closed phone or browser. */
export async function workChecks(deps: Deps): Promise<void> {
  for (const row of await dueChecks(deps.db, deps.clock.now())) await askCheck(deps, SYSTEM, row)
}
