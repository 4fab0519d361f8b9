import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { outcomeOf, SupplierError } from '#platform/shared/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { ownPath } from '#platform/shared/own-path.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import type { Check } from '../../contract-face.ts'
import { openPerson, ownRow, requireOpen, subjectOf } from '../person.ts'
import { requireStep } from '../steps.ts'
import { faceMinutes, facesPerDay } from '../settings.ts'
import { checksSince, dropCheck, endCheck, insertCheck, lockCheck, nameCheck, newestCheck, ownCheck } from './data.ts'
import { askCheck } from './settle-check.ts'
import { faceCheckOf, faceTools } from './vendors/index.ts'
import { checkView, DAY_MS } from './view.ts'

/** Path that the vendor redirects the browser to. */
const RESULT = '/pay-face-verify-result'
const FIRST_MS = 5_000
/** The vendor responds within this time, or the process that called it has died. */
const BEGINS_MS = 30_000

/** Starts a face check, or returns the open one. The row is inserted before the vendor is called: a lost response counts as one attempt. */
export async function startCheck(ctx: Ctx, { returnUrl }: { returnUrl?: string | undefined }): Promise<Check> {
  const vendor = faceCheckOf(ctx.config) ?? fail('FACE_AWAY')
  // A check that is open here may be over at the vendor, whose page would only say so.
  const open = await newestCheck(ctx.db, ctx.userId)
  if (open?.vendor_ref) await askCheck(ctx, ctx.actor, open)
  const [minutes, most] = [await ctx.settings.get(faceMinutes), await ctx.settings.get(facesPerDay)]
  const now = ctx.clock.now()
  const returnPath = ownPath(returnUrl) ?? RESULT
  const begun = await transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await ownRow(ctx, tx)
    requireOpen(row)
    if (row.face_passed_at) fail('IDENTITY_DONE')
    requireStep(row, 'face')
    if (row.paper !== 'idcard') fail('FACE_NEEDS_IDCARD')
    const last = await newestCheck(tx, ctx.userId)
    if (last?.state === 'processing') {
      // Without a vendor reference another device is just starting it; its page gets the URL on the next poll.
      const isBegun = last.vendor_ref !== null || now.getTime() - last.created_at.getTime() < BEGINS_MS
      if (last.expires_at > now && isBegun) return { open: last }
      await endCheck(tx, last.id, 'expired', now)
    }
    const used = await checksSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))
    if (used.count >= most) fail('FACE_LIMIT', { retryAt: shanghaiTime(new Date(used.oldest!.getTime() + DAY_MS)).slice(0, 16) })
    const id = newId('face', now.getTime())
    const expiresAt = new Date(now.getTime() + minutes * 60_000)
    const person = openPerson(key, ctx.userId, row.sealed_person!)
    const nextCheckAt = new Date(now.getTime() + FIRST_MS)
    await insertCheck(tx, { id, userId: ctx.userId, vendor: vendor.name, returnPath, subject: subjectOf(key, person), now, expiresAt, nextCheckAt })
    await tx.audit('identity.face-begun', `user:${ctx.userId}`, { check: id, vendor: vendor.name })
    return { id, expiresAt, person }
  })
  if ('open' in begun) return checkView(ctx, ctx.db, begun.open!)
  const { id, expiresAt, person } = begun
  const goesBack = `${ctx.siteUrl()}${returnPath}${returnPath.includes('?') ? '&' : '?'}certifyId=${id}`
  const call = { id, name: person.chineseName, number: person.number, returnUrl: goesBack, expiresAt, lang: ctx.lang }
  const made = await vendor.start(faceTools(ctx), call).catch((error: unknown) => {
    ctx.log.warn({ err: error, check: id }, 'a face check could not begin')
    return outcomeOf(error)
  })
  return transact(ctx.db, ctx.actor, async (tx) => {
    // Other data may have been saved in the meantime, which ended the check.
    if ((await lockCheck(tx, id))?.state !== 'processing') return checkView(ctx, tx, (await ownCheck(tx, ctx.userId, id))!)
    if (made instanceof SupplierError) {
      await endUnbegun(tx, id, made, ctx.clock.now())
      await tx.audit('identity.face-not-opened', `user:${ctx.userId}`, { check: id, kind: made.kind, reason: made.reason })
      return made
    }
    await nameCheck(tx, id, made.ref, made.url)
    await tx.audit('identity.face-opened', `user:${ctx.userId}`, { check: id })
    return checkView(ctx, tx, (await ownCheck(tx, ctx.userId, id))!)
  }).then((view) => (view instanceof SupplierError ? fail(view.kind === 'rejected' ? 'FACE_REFUSED' : 'FACE_AWAY') : view))
}

/**
 * A lost response and a refusal count as attempts of the day, because the vendor may have charged for them. On other errors nothing happened,
 * and the row is deleted.
 */
async function endUnbegun(tx: Tx, id: string, { kind }: SupplierError, now: Date): Promise<void> {
  if (kind === 'retryable') await dropCheck(tx, id)
  else await endCheck(tx, id, kind === 'rejected' ? 'failed' : 'expired', now)
}
