import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { backofficeTexts } from '../../../texts.ts'
import { findOperator } from '../../access/data.ts'
import { requirePerson } from '../../access/require-person.ts'
import { lockCommand } from '../data.ts'
import type { CommandRow } from '../data.ts'
import { lockWaiting } from '../decide.ts'
import { insertAnswer, insertQuestion, listCommandQuestions } from './data.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

const TEMPLATES = {
  asked: { name: 'backoffice.asked-back', texts: backofficeTexts, subject: 'mail_asked_back_subject', body: 'mail_asked_back_body' },
  answered: { name: 'backoffice.answered', texts: backofficeTexts, subject: 'mail_answered_subject', body: 'mail_answered_body' },
} as const

/**
 * Sends a question to the requester of a command instead of deciding it; the command keeps waiting. Throws COMMAND_DECIDED, COMMAND_OWN,
 * FORBIDDEN (only operators who could approve it may ask), OPERATOR_TOKEN.
 */
export async function askRequester(ctx: Ctx, no: string, text: string): Promise<CommandRow> {
  requirePerson(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const row = await lockWaiting(ctx, tx, no)
    const question = await insertQuestion(tx, row.id, { operatorId: ctx.operator!.id, text })
    if (question === undefined) return row
    await tx.audit('command.asked-back', `command:${no}`, { name: row.name, subject: row.subject, question: text })
    await mailQuestion(ctx, tx, { row, what: 'asked', told: { to: row.askedBy, text, dedupe: String(question) } })
    return row
  })
}

/**
 * Answers a question as the command's requester, once per question. Throws COMMAND_DECIDED, COMMAND_ANSWERED, FORBIDDEN, NOT_FOUND,
 * OPERATOR_TOKEN.
 */
export async function answerCommandQuestion(
  ctx: Ctx,
  no: string,
  { questionId, text }: { readonly questionId: string; readonly text: string },
): Promise<CommandRow> {
  requirePerson(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const row = (await lockCommand(tx, no)) ?? fail('NOT_FOUND')
    if (row.askedBy !== ctx.operator!.id) fail('FORBIDDEN')
    if (row.state !== 'waiting') fail('COMMAND_DECIDED', { state: row.state })
    const asked = (await listCommandQuestions(tx, row.id)).find(({ id }) => String(id) === questionId) ?? fail('NOT_FOUND')
    if (!(await insertAnswer(tx, asked.id, { operatorId: ctx.operator!.id, text }))) return asked.answer === text ? row : fail('COMMAND_ANSWERED')
    await tx.audit('command.answered', `command:${no}`, { name: row.name, subject: row.subject, question: asked.text, answer: text })
    await mailQuestion(ctx, tx, { row, what: 'answered', told: { to: asked.operatorId, text, dedupe: questionId } })
    return row
  })
}

/** Notifies by mail, like all approvals: the recipient may not have the console open. */
async function mailQuestion(
  ctx: Ctx,
  tx: Tx,
  { row, what, told }: { readonly row: CommandRow; readonly what: keyof typeof TEMPLATES; readonly told: { to: string; text: string; dedupe: string } },
): Promise<void> {
  const receiver = await findOperator(tx, told.to)
  if (receiver?.status !== 'active') return
  const by = await findOperator(tx, ctx.operator!.id)
  await sendMail(ctx, tx, {
    ...{ to: receiver.mail, template: TEMPLATES[what], lang: DEFAULT_LANG, dedupe: `backoffice.${what}:${row.no}:${told.dedupe}` },
    values: { name: row.name, subject: row.subject, no: row.no, operator: by?.name ?? '', text: told.text, expires: toShanghaiTime(row.expiresAt) },
  })
}
