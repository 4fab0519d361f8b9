import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { crashPoint } from '#platform/server/crash.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { lockPerson, updatePerson } from '../data.ts'
import type { PersonRow } from '../data.ts'
import { openPerson, digestFaceSubject, readDataKey } from '../person.ts'
import { selectDueChecks, endCheck, lockCheck, rescheduleCheck } from './data.ts'
import type { CheckRow } from './data.ts'
import { findFaceCheck } from './vendors/index.ts'
import type { FaceOutcome } from './vendors/port.ts'

const RETRY_MS = 20_000

/** Queries the vendor and records the result once. The query runs before any lock; without a response nothing changes. */
export async function queryCheck(deps: Deps, actor: Actor, row: CheckRow): Promise<void> {
  if (row.state !== 'processing') return
  const vendor = findFaceCheck(deps)
  const outcome =
    row.vendorRef && vendor?.name === row.vendor
      ? await vendor.query(createSupplierTools(deps), row.vendorRef).catch((error: unknown) => resolveErrorOutcome(deps, error))
      : 'processing'
  await transact(deps.db, actor, async (tx) => settle(deps, tx, { checkRow: row, outcome }))
}

/** Retries until the check expires. A check that the vendor no longer has counts as expired. */
function resolveErrorOutcome({ log }: Deps, error: unknown): FaceOutcome | 'expired' {
  const { kind, message, ours } = asSupplierError(error)
  log[ours ? 'error' : 'warn']({ why: message, ours }, 'a face check could not be asked about')
  return kind === 'rejected' ? 'expired' : 'processing'
}

/**
 * Records an outcome; of the page, the return and the job only the first counts. Locks the person's row before the check's: data saved in
 * parallel comes strictly before or after, so a face shown for older data verifies no one.
 */
async function settle(
  deps: Deps,
  tx: Tx,
  { checkRow: { id, userId }, outcome }: { readonly checkRow: CheckRow; readonly outcome: FaceOutcome | 'expired' },
): Promise<void> {
  const person = await lockPerson(tx, userId)
  const row = await lockCheck(tx, id)
  if (row?.state !== 'processing') return
  const now = deps.clock.now()
  const isAbout = await isSameSubject(deps, tx, { checkRow: row, row: person })
  const over = !isAbout || (outcome === 'processing' && row.expiresAt <= now) ? 'expired' : outcome
  if (over === 'processing') return rescheduleCheck(tx, id, new Date(now.getTime() + RETRY_MS))
  await endCheck(tx, id, { state: over, now })
  await tx.audit('identity.face-ended', `user:${userId}`, { check: id, state: over })
  if (over === 'passed') await recordPass(tx, person!, now)
  crashPoint('identity.face-ended')
}

/** Checks if the saved data is the data that the face was shown for. */
async function isSameSubject(
  deps: Deps,
  tx: Tx,
  { checkRow: { subject }, row }: { readonly checkRow: CheckRow; readonly row: PersonRow | undefined },
): Promise<boolean> {
  const key = row && (await readDataKey(deps, tx, row.userId))
  if (!key || !row.sealedPerson) return false
  return subject?.equals(digestFaceSubject(key, openPerson(key, row.userId, row.sealedPerson))) ?? false
}

/** Records a passed face. A user in review stays there: the face check does not settle the review. */
async function recordPass(tx: Tx, person: PersonRow, now: Date): Promise<void> {
  const { userId, status } = person
  if (!person.savedAt || person.facePassedAt) return
  await updatePerson(tx, userId, { now, values: { facePassedAt: now, ...(status === 'saved' ? { status: 'passed' } : {}) } })
  await tx.audit('identity.passed', `user:${userId}`, { review: status === 'review' })
  if (status === 'saved') await tx.emit('identity.passed', { userId })
}

/** Job: queries checks that no page polls, such as after a closed phone or browser. */
export async function workChecks(deps: Deps): Promise<void> {
  for (const row of await selectDueChecks(deps.db, deps.clock.now())) await queryCheck(deps, SYSTEM, row)
}
