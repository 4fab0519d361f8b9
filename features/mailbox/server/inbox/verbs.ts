import { transact } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { mailboxContract, MailRow } from '../../contract.ts'
import { ownBox } from '../boxes/verbs.ts'
import { openingsOf, ring } from '../data.ts'
import { countMails, deleteMail, filesOf, mailById, mailsOf, markRead } from '../data-mails.ts'
import type { Mail } from '../data-mails.ts'
import { mailKey, openBytes, signAddress } from '../secrets.ts'
import type { KeptMail } from './keep-mail.ts'

type C = typeof mailboxContract
const PREVIEW = 140

/** Requires that the mailbox's password was entered in this session. */
async function requireOpen(ctx: Ctx, id: string): Promise<void> {
  if (!(await openingsOf(ctx.db, [id], ctx.sessionId)).has(id)) fail('MAILBOX_LOCKED')
}
const keyFor = async (ctx: Ctx): Promise<Buffer> => (await mailKey(ctx, ctx.db, ctx.userId)) ?? fail('MAILBOX_UNKNOWN')
export const openMail = (key: Buffer, { id, sealed }: Pick<Mail, 'id' | 'sealed'>): KeptMail =>
  JSON.parse(openBytes(key, id, sealed).toString('utf8')) as KeptMail

export async function emailList(ctx: Ctx, { id, pageNum, pageSize }: InputOf<C['emailList']>): Promise<ReplyOf<C['emailList']>> {
  await ownBox(ctx, id)
  await requireOpen(ctx, id)
  const key = await keyFor(ctx)
  const [mails, counts] = await Promise.all([mailsOf(ctx.db, id, pageSize, (pageNum - 1) * pageSize), countMails(ctx.db, [id])])
  const totalRecord = counts.get(id)?.mails ?? 0
  return { rowList: mails.map((mail) => rowOf(mail, openMail(key, mail))), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

const said = (result: string): 'pass' | 'fail' | 'none' => (result === 'pass' ? 'pass' : /fail|error|policy/.test(result) ? 'fail' : 'none')

function rowOf(mail: Mail, kept: KeptMail): MailRow {
  return {
    id: mail.id,
    sendTime: mail.received_at.toISOString(),
    sender: kept.from,
    senderName: kept.fromName,
    recipient: kept.to,
    subject: kept.subject,
    content: kept.text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW),
    code: kept.code,
    isRead: mail.read_at !== null,
    files: mail.files,
    auth: { spf: said(kept.auth.spf), dkim: said(kept.auth.dkim), dmarc: said(kept.auth.dmarc) },
  }
}

async function ownMail(ctx: Ctx, id: string): Promise<Mail> {
  const mail = (await mailById(ctx.db, id, ctx.userId)) ?? fail('MAILBOX_UNKNOWN')
  await requireOpen(ctx, mail.task_id)
  return mail
}

export async function emailRead(ctx: Ctx, { id }: InputOf<C['emailRead']>): Promise<ReplyOf<C['emailRead']>> {
  const mail = await ownMail(ctx, id)
  const key = await keyFor(ctx)
  const kept = openMail(key, mail)
  if (await markRead(ctx.db, id)) await ring(ctx.db, mail.task_id)
  const files = await filesOf(ctx.db, id)
  return {
    row: { ...rowOf(mail, kept), isRead: true },
    text: kept.text,
    page: kept.html ? `/mail/page/${id}?${signAddress(ctx, ctx.userId, id)}` : '',
    blocked: kept.blocked,
    files: files.map((file) => ({
      name: openBytes(key, `${file.id}.name`, file.name).toString('utf8'),
      size: file.bytes,
      url: `/mail/file/${file.id}?${signAddress(ctx, ctx.userId, file.id)}`,
    })),
  }
}

export async function emailDelete(ctx: Ctx, { id }: InputOf<C['emailDelete']>): Promise<ReplyOf<C['emailDelete']>> {
  const mail = await ownMail(ctx, id)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await deleteMail(tx, id)
    await tx.audit('mailbox.mail_deleted', `service:${mail.task_id}`)
    await ring(tx, mail.task_id)
  })
  return {}
}
