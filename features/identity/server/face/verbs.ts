import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Check } from '../../contract-face.ts'
import type { IDENTITY_STATUSES } from '../../contract-words.ts'
import { personOf } from '../data.ts'
import { infoStatusOf } from '../steps.ts'
import { newestCheck, ownCheck } from './data.ts'
import { askCheck } from './settle-check.ts'
import { checkView } from './view.ts'

export async function checkStatus(ctx: Ctx, { certifyId }: { certifyId: string }): Promise<Check> {
  const row = (await ownCheck(ctx.db, ctx.userId, certifyId)) ?? fail('CHECK_NOT_FOUND')
  await askCheck(ctx, ctx.actor, row)
  return checkView(ctx, ctx.db, (await ownCheck(ctx.db, ctx.userId, certifyId))!)
}

/** The check's URL, split into parts for clients that submit a form. */
export async function formData(ctx: Ctx, { certifyId }: { certifyId: string }) {
  const row = await ownCheck(ctx.db, ctx.userId, certifyId)
  if (!row?.url || row.state !== 'processing') fail('CHECK_NOT_FOUND')
  const url = new URL(row.url)
  return { certifyId, action: `${url.origin}${url.pathname}`, method: 'GET' as const, fields: Object.fromEntries(url.searchParams) }
}

async function standing(
  ctx: Ctx,
): Promise<{ identityStatus: (typeof IDENTITY_STATUSES)[number]; identityInfoStatus: number; certifyId: string | null; isAuth: boolean }> {
  const row = await personOf(ctx.db, ctx.userId)
  const check = await newestCheck(ctx.db, ctx.userId)
  const open = check?.state === 'processing' ? check.id : null
  const identityStatus =
    row?.status === 'passed' ? 'SUCCESS' : open ? 'PROCESSING' : check && check.state !== 'passed' ? 'FAIL' : row?.face_passed_at ? 'PROCESSING' : 'NONE'
  return { identityStatus, identityInfoStatus: infoStatusOf(row), certifyId: open, isAuth: row?.method === 'face' && !row.face_passed_at }
}

export async function identityStatus(ctx: Ctx) {
  const { identityStatus, identityInfoStatus, certifyId } = await standing(ctx)
  return { identityStatus, identityInfoStatus, certifyId }
}

/** Status of the user's face check: an order waits for the check of its payer. */
export async function rechargeIdentity(ctx: Ctx) {
  const { identityStatus, isAuth, certifyId } = await standing(ctx)
  return { isAuth, identityStatus, certifyId }
}
