import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { crashPoint } from '#platform/server/crash.ts'
import { lockPerson, setPerson } from '../data.ts'
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
      ? await vendor.query(faceTools(deps), row.vendor_ref).catch((error: unknown) => quiet(deps, error))
      : 'processing'
  await transact(deps.db, actor, async (tx) => settle(deps, tx, row.id, outcome))
}

function quiet({ log }: Deps, error: unknown): FaceOutcome {
  log.warn({ err: error }, 'a face check could not be asked about')
  return 'processing'
}

/** The check's row is the lock: page, return and job end here, and only the first of them counts. */
async function settle(deps: Deps, tx: Tx, id: string, outcome: FaceOutcome): Promise<void> {
  const row = await lockCheck(tx, id)
  if (row?.state !== 'processing') return
  const now = deps.clock.now()
  const over = outcome === 'processing' ? (row.expires_at <= now ? 'expired' : undefined) : outcome
  if (!over) return putOff(tx, id, new Date(now.getTime() + AGAIN_MS))
  await endCheck(tx, id, over, now)
  await tx.audit('identity.face-ended', `user:${row.user_id}`, { check: id, state: over })
  if (over === 'passed') await pass(tx, row.user_id, now)
  crashPoint('identity.face-ended')
}

/** Whoever is in review stays there: the face is one thing, the account another. */
async function pass(tx: Tx, userId: string, now: Date): Promise<void> {
  const person = await lockPerson(tx, userId)
  if (!person?.sealed_person || !person.saved_at || person.face_passed_at) return
  await setPerson(tx, userId, now, { face_passed_at: now, ...(person.status === 'saved' ? { status: 'passed' } : {}) })
  await tx.audit('identity.passed', `user:${userId}`, { review: person.status === 'review' })
  if (person.status === 'saved') await tx.emit('identity.passed', { userId })
}

/** What nobody's page asks about: a phone that was closed, a browser that never came back. */
export async function workChecks(deps: Deps): Promise<void> {
  for (const row of await dueChecks(deps.db, deps.clock.now())) await askCheck(deps, SYSTEM, row)
}
