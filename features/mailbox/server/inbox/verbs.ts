import { transact } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { mailboxContract, MailRow } from '../../contract.ts'
import { requireOwnMailbox } from '../boxes/verbs.ts'
import { listMailboxOpenings, notifyMailboxWaiters, countMails, deleteMail, listMailFiles, findMail, listMails, markRead } from '../data.ts'
import type { StoredMail } from '../data.ts'
import { judgeSender, toAuthResult } from '../reading/sender-verdict.ts'
import { loadMailKey, openMailBytes, signMailAddress } from '../secrets.ts'
import type { StoredMailContent } from './store-mail.ts'

type C = typeof mailboxContract
const PREVIEW = 140

/** Requires that the mailbox's password was entered in this session. */
async function requireOpen(ctx: Ctx, id: string): Promise<void> {
  if (!(await listMailboxOpenings(ctx.db, [id], ctx.sessionId)).has(id)) fail('MAILBOX_LOCKED')
}
const requireMailKey = async (ctx: Ctx): Promise<Buffer> => (await loadMailKey(ctx, ctx.db, ctx.userId)) ?? fail('MAILBOX_UNKNOWN')
export const unsealMail = (key: Buffer, { id, sealed }: Pick<StoredMail, 'id' | 'sealed'>): StoredMailContent =>
  JSON.parse(openMailBytes(key, id, sealed).toString('utf8')) as StoredMailContent

export async function emailList(ctx: Ctx, { id, pageNum, pageSize }: InputOf<C['emailList']>): Promise<ReplyOf<C['emailList']>> {
  await requireOwnMailbox(ctx, id)
  await requireOpen(ctx, id)
  const key = await requireMailKey(ctx)
  const [mails, counts] = await Promise.all([listMails(ctx.db, id, { limit: pageSize, offset: (pageNum - 1) * pageSize }), countMails(ctx.db, [id])])
  const totalRecord = counts.get(id)?.mails ?? 0
  return {
    rowList: mails.map((mail) => buildMailRow(mail, unsealMail(key, mail))),
    pageNum,
    pageSize,
    totalPage: Math.ceil(totalRecord / pageSize),
    totalRecord,
  }
}

function buildMailRow(mail: StoredMail, kept: StoredMailContent): MailRow {
  return {
    id: mail.id,
    sendTime: mail.receivedAt.toISOString(),
    sender: kept.from,
    senderName: kept.fromName,
    recipient: kept.to,
    subject: kept.subject,
    content: kept.text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW),
    code: kept.code,
    isRead: mail.readAt !== null,
    files: mail.files,
    auth: { spf: toAuthResult(kept.auth.spf), dkim: toAuthResult(kept.auth.dkim), dmarc: toAuthResult(kept.auth.dmarc) },
    verdict: judgeSender(kept.from, kept.auth),
  }
}

async function requireOwnMail(ctx: Ctx, id: string): Promise<StoredMail> {
  const mail = (await findMail(ctx.db, id, ctx.userId)) ?? fail('MAILBOX_UNKNOWN')
  await requireOpen(ctx, mail.taskId)
  return mail
}

export async function emailRead(ctx: Ctx, { id }: InputOf<C['emailRead']>): Promise<ReplyOf<C['emailRead']>> {
  const mail = await requireOwnMail(ctx, id)
  const key = await requireMailKey(ctx)
  const kept = unsealMail(key, mail)
  if (await markRead(ctx.db, id)) await notifyMailboxWaiters(ctx.db, mail.taskId)
  const files = await listMailFiles(ctx.db, id)
  return {
    row: { ...buildMailRow(mail, kept), isRead: true },
    text: kept.text,
    page: kept.html ? `/mail/page/${id}?${signMailAddress(ctx, ctx.userId, id)}` : '',
    blocked: kept.blocked,
    files: files.map((file) => ({
      name: openMailBytes(key, `${file.id}.name`, file.name).toString('utf8'),
      size: file.bytes,
      url: `/mail/file/${file.id}?${signMailAddress(ctx, ctx.userId, file.id)}`,
    })),
  }
}

export async function emailDelete(ctx: Ctx, { id }: InputOf<C['emailDelete']>): Promise<ReplyOf<C['emailDelete']>> {
  const mail = await requireOwnMail(ctx, id)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await deleteMail(tx, id)
    await tx.audit('mailbox.mail_deleted', `service:${mail.taskId}`)
    await notifyMailboxWaiters(tx, mail.taskId)
  })
  return {}
}
