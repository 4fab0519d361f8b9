import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { asSupplierError, SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { FaceCheckReply } from '../../contract-face.ts'
import { openPerson, lockOwnPerson, requireOpenVerification, digestFaceSubject } from '../person.ts'
import { requireStep } from '../steps.ts'
import { faceMinutes, facesPerDay } from '../settings.ts'
import { countChecksSince, deleteCheck, endCheck, insertCheck, lockCheck, updateCheckRef, selectNewestCheck, selectOwnCheck } from './data.ts'
import { queryCheck } from './settle-check.ts'
import { findFaceCheck } from './vendors/index.ts'
import { buildFaceCheckReply, FACE_DAY_MS } from './view.ts'

/** Path that the vendor redirects the browser to. */
const RESULT = '/pay-face-verify-result'
const FIRST_MS = 5_000
/** The vendor responds within this time, or the process that called it has died. */
const START_TIMEOUT_MS = 30_000

/** Starts a face check, or returns the open one. The row is inserted before the vendor is called: a lost response counts as one attempt. */
export async function startCheck(ctx: Ctx, { returnUrl }: { returnUrl?: string | undefined }): Promise<FaceCheckReply> {
  const vendor = findFaceCheck(ctx) ?? fail('FACE_AWAY')
  // A check that is open here may be over at the vendor, whose page would only say so.
  const open = await selectNewestCheck(ctx.db, ctx.userId)
  if (open?.vendorRef) await queryCheck(ctx, ctx.actor, open)
  const [minutes, most] = [await ctx.settings.get(faceMinutes), await ctx.settings.get(facesPerDay)]
  const now = ctx.clock.now()
  const returnPath = parseOwnPath(returnUrl) ?? RESULT
  const begun = await transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await lockOwnPerson(ctx, tx)
    requireOpenVerification(row)
    if (row.facePassedAt) fail('IDENTITY_DONE')
    requireStep(row, 'face')
    if (row.paper !== 'idcard') fail('FACE_NEEDS_IDCARD')
    const last = await selectNewestCheck(tx, ctx.userId)
    if (last?.state === 'processing') {
      // Without a vendor reference another device is just starting it; its page gets the URL on the next poll.
      const isBegun = last.vendorRef !== null || now.getTime() - last.createdAt.getTime() < START_TIMEOUT_MS
      if (last.expiresAt > now && isBegun) return { open: last }
      await endCheck(tx, last.id, { state: 'expired', now })
    }
    const used = await countChecksSince(tx, ctx.userId, new Date(now.getTime() - FACE_DAY_MS))
    if (used.count >= most) fail('FACE_LIMIT', { retryAt: toShanghaiTime(new Date(used.oldest!.getTime() + FACE_DAY_MS)).slice(0, 16) })
    const id = createId('face', now.getTime())
    const expiresAt = new Date(now.getTime() + minutes * 60_000)
    const person = openPerson(key, ctx.userId, row.sealedPerson!)
    const nextCheckAt = new Date(now.getTime() + FIRST_MS)
    await insertCheck(tx, { id, userId: ctx.userId, vendor: vendor.name, returnPath, subject: digestFaceSubject(key, person), now, expiresAt, nextCheckAt })
    await tx.audit('identity.face-begun', `user:${ctx.userId}`, { check: id, vendor: vendor.name })
    return { id, expiresAt, person }
  })
  if ('open' in begun) return buildFaceCheckReply(ctx, ctx.db, begun.open!)
  const { id, expiresAt, person } = begun
  const goesBack = `${ctx.siteUrl()}${returnPath}${returnPath.includes('?') ? '&' : '?'}certifyId=${id}`
  const call = { id, name: person.chineseName, number: person.number, returnUrl: goesBack, expiresAt, lang: ctx.lang }
  const made = await vendor.start(createSupplierTools(ctx), call).catch((error: unknown) => {
    ctx.log.warn({ err: error, check: id }, 'a face check could not begin')
    return asSupplierError(error)
  })
  return transact(ctx.db, ctx.actor, async (tx) => {
    // Other data may have been saved in the meantime, which ended the check.
    if ((await lockCheck(tx, id))?.state !== 'processing') return buildFaceCheckReply(ctx, tx, (await selectOwnCheck(tx, ctx.userId, id))!)
    if (made instanceof SupplierError) {
      await endUnstartedCheck(tx, id, { error: made, now: ctx.clock.now() })
      await tx.audit('identity.face-not-opened', `user:${ctx.userId}`, { check: id, kind: made.kind, reason: made.reason })
      return made
    }
    await updateCheckRef(tx, id, { ref: made.ref, url: made.url })
    await tx.audit('identity.face-opened', `user:${ctx.userId}`, { check: id })
    return buildFaceCheckReply(ctx, tx, (await selectOwnCheck(tx, ctx.userId, id))!)
  }).then((view) => (view instanceof SupplierError ? fail(view.kind === 'rejected' ? 'FACE_REFUSED' : 'FACE_AWAY') : view))
}

/**
 * A lost response and a refusal count as attempts of the day, because the vendor may have charged for them. On other errors nothing happened,
 * and the row is deleted.
 */
async function endUnstartedCheck(tx: Tx, id: string, { error: { kind }, now }: { readonly error: SupplierError; readonly now: Date }): Promise<void> {
  if (kind === 'retryable') await deleteCheck(tx, id)
  else await endCheck(tx, id, { state: kind === 'rejected' ? 'failed' : 'expired', now })
}
