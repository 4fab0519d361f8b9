import { defineTexts } from '#platform/shared/texts.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import en from './messages/retiring.en.json' with { type: 'json' }
import zh from './messages/retiring.zh.json' with { type: 'json' }

const texts = defineTexts(zh, en)
type Key = keyof typeof texts.zh

/** A model ends and another takes its calls for a while. */
export const retiringMail: MailTemplate<Key> = {
  name: 'gateway.retiring',
  texts,
  subject: 'mail_retiring_subject',
  body: 'mail_retiring_body',
  repeatable: true,
}
/** A model ends, and nothing takes its place. */
export const endingMail: MailTemplate<Key> = { name: 'gateway.ending', texts, subject: 'mail_ending_subject', body: 'mail_ending_body', repeatable: true }
