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

/** Asks the company and books what it says, once. It is asked before any lock; a company that does not answer changes nothing. */
export async function askCheck(deps: Deps, actor: Actor, row: CheckRow): Promise<void> {
  if (row.state !== 'processing') return
  const vendor = faceCheckOf(deps.config)
  const outcome =
    row.vendor_ref && vendor?.name === row.vendor
      ? await vendor.query(faceTools(deps), row.vendor_ref).catch((error: unknown) => unanswered(deps, error))
      : 'processing'
  await transact(deps.db, actor, async (tx) => settle(deps, tx, row, outcome))
}

/** Asked again until its time is over. A company that no longer has it will never know its end. */
function unanswered({ log }: Deps, error: unknown): FaceOutcome | 'expired' {
  const { kind, message, ours } = outcomeOf(error)
  log[ours ? 'error' : 'warn']({ why: message, ours }, 'a face check could not be asked about')
  return kind === 'rejected' ? 'expired' : 'processing'
}

/**
 * Page, return and job end here, and only the first of them counts. The person's row before the check's: whoever saves other data
 * meanwhile comes before or after, and a face that was shown for what stood there before passes nobody.
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

/** Whether what is saved now is what the face was shown for. */
async function isAboutThem(deps: Deps, tx: Tx, { subject }: CheckRow, row: PersonRow | undefined): Promise<boolean> {
  const key = row && (await dataKey(deps, tx, row.user_id))
  if (!key || !row.sealed_person) return false
  return subject?.equals(subjectOf(key, openPerson(key, row.user_id, row.sealed_person))) ?? false
}

/** Whoever is in review stays there: the face is one thing, the account another. */
async function pass(tx: Tx, person: PersonRow, now: Date): Promise<void> {
  const { user_id: userId, status } = person
  if (!person.saved_at || person.face_passed_at) return
  await setPerson(tx, userId, now, { face_passed_at: now, ...(status === 'saved' ? { status: 'passed' } : {}) })
  await tx.audit('identity.passed', `user:${userId}`, { review: status === 'review' })
  if (status === 'saved') await tx.emit('identity.passed', { userId })
}

/** What nobody's page asks about: a phone that was closed, a browser that never came back. */
export async function workChecks(deps: Deps): Promise<void> {
  for (const row of await dueChecks(deps.db, deps.clock.now())) await askCheck(deps, SYSTEM, row)
}
