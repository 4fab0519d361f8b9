import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { findContact } from '#features/account/server/door.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import en from './messages/terms.en.json' with { type: 'json' }
import zh from './messages/terms.zh.json' with { type: 'json' }
import type { Lang } from '#platform/shared/languages.ts'

const texts = defineTexts({ zh, en })
type Key = TextKeyOf<typeof texts>

export const TERMS_MAILS = {
  /** A customer's own price is going to rise. */
  rises: { name: 'gateway.terms-rise', texts, subject: 'mail_terms_rise_subject', body: 'mail_terms_rise_body', repeatable: true },
  /** The planned change of a customer's own price was cancelled. */
  stays: { name: 'gateway.terms-stay', texts, subject: 'mail_terms_stay_subject', body: 'mail_terms_stay_body', repeatable: true },
  /** The list price of models that the customer uses is going to rise. */
  listRises: { name: 'gateway.price-rise', texts, subject: 'mail_price_rise_subject', body: 'mail_price_rise_body', repeatable: true },
  listStays: { name: 'gateway.price-stay', texts, subject: 'mail_price_stay_subject', body: 'mail_price_stay_body', repeatable: true },
} as const satisfies Readonly<Record<string, MailTemplate<Key>>>

/** Skips users without a verified email address; the price page shows the change too. */
export async function sendTermsMail(
  deps: Deps,
  tx: Tx,
  {
    userId,
    template,
    dedupe,
    values,
  }: { readonly userId: string; readonly template: MailTemplate<Key>; readonly dedupe: string; readonly values: Readonly<Record<string, string>> },
): Promise<void> {
  const contact = await findContact(tx, userId)
  if (!contact?.email) return
  await sendMail(deps, tx, {
    ...{ to: contact.email, template, lang: contact.lang, dedupe, goodForSeconds: 3 * 86_400 },
    values: { ...values, link: `${deps.siteUrl()}/api?tab=pricing` },
  })
}

/** Name of a model in a mail; null means all models. */
export const formatMailModelName = (lang: Lang, model: string | null): string => model ?? texts[lang].terms_all
