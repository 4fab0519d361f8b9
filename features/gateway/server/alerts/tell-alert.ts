import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { contactOf, inactiveAmong, mailChoicesOf } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { alertSettingsOf } from './data-alerts.ts'
import { mailTexts } from './mail-texts.ts'
import { queueWebhook } from './queue-webhook.ts'
import { shownUsd } from './watch.ts'
import type { AlertNews } from './watch.ts'

type Key = keyof typeof mailTexts.zh
const MAIL_TEXT = {
  low: { subject: 'mail_low_subject', body: 'mail_low_body' },
  budget: { subject: 'mail_budget_subject', body: 'mail_budget_body' },
  used_up: { subject: 'mail_used_up_subject', body: 'mail_used_up_body' },
} as const satisfies Record<string, { readonly subject: Key; readonly body: Key }>

const template = (name: keyof typeof MAIL_TEXT): MailTemplate<Key> => ({
  name: `gateway.${name}`,
  texts: mailTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

/** Mails the alert, where the user wants such mails, and sends it to the user's webhook. Once for each piece of news, however often it runs. */
export async function tellAlert(deps: Deps, news: AlertNews): Promise<void> {
  const contact = await contactOf(deps.db, news.userId)
  if (!contact || (await inactiveAmong(deps.db, [news.userId])).size) return
  const { facts, kind } = news
  const wanted = contact.email !== null && (await mailChoicesOf(deps.db, news.userId)).balanceAlert
  const settings = await alertSettingsOf(deps.db, news.userId)
  const say = mailTexts[contact.lang]
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('alert.told', `user:${news.userId}`, { kind, mail: wanted, webhook: settings?.webhook_url !== undefined && settings.webhook_url !== null })
    if (wanted) {
      const name = kind === 'balance.low' ? 'low' : facts['threshold'] === 100 ? 'used_up' : 'budget'
      const page = `${deps.siteUrl()}/api`
      const values: Readonly<Record<string, string>> =
        kind === 'balance.low'
          ? { balance: shownUsd(String(facts['balance'])), threshold: shownUsd(String(facts['threshold'])), link: `${page}?tab=view` }
          : {
              name: String(facts['key_name']),
              period: say[facts['period'] === 'day' ? 'mail_period_day' : 'mail_period_month'],
              threshold: String(facts['threshold']),
              spent: shownUsd(String(facts['spent'])),
              budget: shownUsd(String(facts['budget'])),
              link: `${page}?key=${facts['key_id']}`,
            }
      await sendMail(deps, tx, { to: contact.email!, template: template(name), values, lang: contact.lang, dedupe: `gateway.alert:${news.eventId}` })
    }
    if (settings?.webhook_url) await queueWebhook(deps, tx, news.userId, `evt_${news.eventId}`, kind, facts)
  })
}
