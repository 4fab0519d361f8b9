import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { FaceCheckReply } from '../../contract-face.ts'
import type { IDENTITY_STATUSES } from '../../contract-words.ts'
import { selectPerson } from '../data.ts'
import { toInfoStatus } from '../steps.ts'
import { selectNewestCheck, selectOwnCheck } from './data.ts'
import { queryCheck } from './settle-check.ts'
import { buildFaceCheckReply } from './view.ts'

export async function checkStatus(ctx: Ctx, { certifyId }: { certifyId: string }): Promise<FaceCheckReply> {
  const row = (await selectOwnCheck(ctx.db, ctx.userId, certifyId)) ?? fail('CHECK_NOT_FOUND')
  await queryCheck(ctx, ctx.actor, row)
  return buildFaceCheckReply(ctx, ctx.db, (await selectOwnCheck(ctx.db, ctx.userId, certifyId))!)
}

/** The check's URL, split into parts for clients that submit a form. */
export async function formData(ctx: Ctx, { certifyId }: { certifyId: string }) {
  const row = await selectOwnCheck(ctx.db, ctx.userId, certifyId)
  if (!row?.url || row.state !== 'processing') fail('CHECK_NOT_FOUND')
  const url = new URL(row.url)
  return { certifyId, action: `${url.origin}${url.pathname}`, method: 'GET' as const, fields: Object.fromEntries(url.searchParams) }
}

async function readFaceStatus(
  ctx: Ctx,
): Promise<{ identityStatus: (typeof IDENTITY_STATUSES)[number]; identityInfoStatus: number; certifyId: string | null; isAuth: boolean }> {
  const row = await selectPerson(ctx.db, ctx.userId)
  const check = await selectNewestCheck(ctx.db, ctx.userId)
  const open = check?.state === 'processing' ? check.id : null
  const identityStatus =
    row?.status === 'passed' ? 'SUCCESS' : open ? 'PROCESSING' : check && check.state !== 'passed' ? 'FAIL' : row?.facePassedAt ? 'PROCESSING' : 'NONE'
  return { identityStatus, identityInfoStatus: toInfoStatus(row), certifyId: open, isAuth: row?.method === 'face' && !row.facePassedAt }
}

export async function identityStatus(ctx: Ctx) {
  const { identityStatus, identityInfoStatus, certifyId } = await readFaceStatus(ctx)
  return { identityStatus, identityInfoStatus, certifyId }
}

/** Status of the user's face check: an order waits for the check of its payer. */
export async function rechargeIdentity(ctx: Ctx) {
  const { identityStatus, isAuth, certifyId } = await readFaceStatus(ctx)
  return { isAuth, identityStatus, certifyId }
}
