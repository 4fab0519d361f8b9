import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { OpeningFlow, identityContract } from '../../contract.ts'
import { updatePerson } from '../data.ts'
import { endOpenCheck } from '../face/data.ts'
import { methodsOffered } from '../settings.ts'
import { hasStoredFile } from '../uploads/data.ts'
import { lockOwnPerson, requireOpenVerification, sealDraft } from '../person.ts'
import { requireStep } from '../steps.ts'
import { readFlow } from './read-flow.ts'

type In<K extends keyof typeof identityContract> = InputOf<(typeof identityContract)[K]>

/** Records that the notice was read. Idempotent. */
export async function markNoticeRead(ctx: Ctx): Promise<OpeningFlow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row } = await lockOwnPerson(ctx, tx)
    if (!row.noticeReadAt) {
      await updatePerson(tx, ctx.userId, { now: ctx.clock.now(), values: { noticeReadAt: ctx.clock.now() } })
      await tx.audit('identity.notice-read', `user:${ctx.userId}`)
    }
    return readFlow(ctx, tx)
  })
}

/** Records the tax answer. A U.S. taxpayer is rejected, but can correct the answer later. */
export async function answerTaxpayer(ctx: Ctx, { isTaxResidentUS }: In<'answerTaxpayer'>): Promise<OpeningFlow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row } = await lockOwnPerson(ctx, tx)
    if (row.reason !== 'us_taxpayer') requireOpenVerification(row)
    requireStep(row, 'taxpayer')
    const now = ctx.clock.now()
    const ended = isTaxResidentUS
      ? { status: 'rejected', reason: 'us_taxpayer' }
      : row.reason === 'us_taxpayer'
        ? { status: row.sealedPerson ? 'saved' : 'started', reason: null }
        : {}
    await updatePerson(tx, ctx.userId, { now, values: { taxpayer: isTaxResidentUS, taxpayerAt: now, ...ended } })
    await tx.audit('identity.taxpayer', `user:${ctx.userId}`, { us: isTaxResidentUS, ip: ctx.ip })
    return readFlow(ctx, tx)
  })
}

export async function chooseMethod(ctx: Ctx, { method }: In<'chooseMethod'>): Promise<OpeningFlow> {
  const offered = await ctx.settings.get(methodsOffered)
  if (!offered.includes(method)) fail('BAD_INPUT', { fields: ['method'] })
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row } = await lockOwnPerson(ctx, tx)
    requireOpenVerification(row)
    requireStep(row, 'method')
    if (method === 'face' && row.paper === 'passport' && row.sealedPerson) fail('FACE_NEEDS_IDCARD')
    // Data saved for a face check may lack the photo that the deposit requires
    const isReopened = row.savedAt !== null && !row.paidAt && method !== row.method && method === 'deposit' && !(await hasStoredFile(tx, ctx.userId, 'photo'))
    await updatePerson(tx, ctx.userId, { now: ctx.clock.now(), values: { method, ...(isReopened ? { savedAt: null } : {}) } })
    await tx.audit('identity.method', `user:${ctx.userId}`, { method, reopened: isReopened })
    return readFlow(ctx, tx)
  })
}

/** Stores the unsaved input, sealed, so that another device can continue. */
export async function saveDraft(ctx: Ctx, draft: In<'saveDraft'>): Promise<OpeningFlow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row, key } = await lockOwnPerson(ctx, tx)
    requireOpenVerification(row)
    requireStep(row, 'papers')
    await updatePerson(tx, ctx.userId, { now: ctx.clock.now(), values: { sealedDraft: sealDraft(key, ctx.userId, draft) } })
    await tx.audit('identity.draft-saved', `user:${ctx.userId}`)
    return readFlow(ctx, tx)
  })
}

/** Reopens saved data for correction; the number stays claimed until the next save. */
export async function reopen(ctx: Ctx): Promise<OpeningFlow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const { row } = await lockOwnPerson(ctx, tx)
    if (row.status === 'passed' || row.paidAt) fail('IDENTITY_DONE')
    if (!row.savedAt || row.status === 'rejected') fail('IDENTITY_STEP_MISSING', { step: 'papers' })
    await endOpenCheck(tx, ctx.userId, { now: ctx.clock.now() })
    await updatePerson(tx, ctx.userId, { now: ctx.clock.now(), values: { savedAt: null } })
    await tx.audit('identity.reopened', `user:${ctx.userId}`)
    return readFlow(ctx, tx)
  })
}
