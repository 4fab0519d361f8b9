import type { TxCtx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { createId } from '#platform/shared/ids.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { supportContract } from '../../contract.ts'
import { insertComplaint } from '../data.ts'
import { readComplaintLimits, requireWithinLimits } from '../limits.ts'
import { complaintMail } from '../mails.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

type Complaint = typeof supportContract.complaint

/** Stores a complaint and mails it to the support address, both or neither. Idempotent by the request's key. */
export async function fileComplaint(ctx: TxCtx, { content, email, orderNo }: InputOf<Complaint>): Promise<ReplyOf<Complaint>> {
  const tx = ctx.tx
  const now = ctx.clock.now()
  await requireWithinLimits(tx, await readComplaintLimits(ctx), now)
  const id = createId('cmp', now.getTime())
  await insertComplaint(tx, { id, userId: ctx.userId || null, email, content, orderNo: orderNo ?? null, lang: ctx.lang, now })
  await sendMail(ctx, tx, {
    to: ctx.config.SUPPORT_EMAIL,
    template: complaintMail,
    values: { id, email, content, orderNo: orderNo ?? '–', user: ctx.userId || '–' },
    lang: DEFAULT_LANG,
    dedupe: `support.complaint:${id}`,
    goodForSeconds: 3 * 86_400,
  })
  await tx.audit('support.complaint-filed', `complaint:${id}`, { ip: ctx.ip })
  await tx.emit('support.complaint.filed', { complaintId: id, userId: ctx.userId })
  return { complaintId: id }
}
