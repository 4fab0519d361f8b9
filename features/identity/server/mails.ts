import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

const mailTexts = defineTexts({ zh, en })
type Key = TextKeyOf<typeof mailTexts>

/** Mail to a user whom an operator approved in review. */
export const approvedMail: MailTemplate<Key> = {
  name: 'identity.approved',
  texts: mailTexts,
  subject: 'mail_review_approved_subject',
  body: 'mail_review_approved_body',
  repeatable: true,
}
/** Mail to a user whom an operator rejected in review. */
export const rejectedMail: MailTemplate<Key> = {
  name: 'identity.rejected',
  texts: mailTexts,
  subject: 'mail_review_rejected_subject',
  body: 'mail_review_rejected_body',
  repeatable: true,
}
