import type { MailTemplate } from '#features/notices/server/door.ts'
import { supportServerTexts } from './server-texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Key = TextKeyOf<typeof supportServerTexts>

/** To a user or visitor who has not seen our answer. */
export const answerMail: MailTemplate<Key> = { name: 'support.answer', texts: supportServerTexts, subject: 'mail_answer_subject', body: 'mail_answer_body' }
/** To the support address: a new message. */
export const questionMail: MailTemplate<Key> = {
  name: 'support.question',
  texts: supportServerTexts,
  subject: 'mail_question_subject',
  body: 'mail_question_body',
}
/** To the support address: a complaint. */
export const complaintMail: MailTemplate<Key> = {
  name: 'support.complaint',
  texts: supportServerTexts,
  subject: 'mail_complaint_subject',
  body: 'mail_complaint_body',
}
/** Confirmation to the sender of a complaint. */
export const complaintAnsweredMail: MailTemplate<Key> = {
  name: 'support.complaint-answered',
  texts: supportServerTexts,
  subject: 'mail_complaint_answered_subject',
  body: 'mail_complaint_answered_body',
}
