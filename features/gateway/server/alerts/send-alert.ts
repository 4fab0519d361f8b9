import type { TextKeyOf } from '#platform/shared/texts.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { findContact, selectInactiveUsers, loadMailChoices } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { selectAlertSettings } from './data-alerts.ts'
import { alertMailTexts } from './mail-texts.ts'
import { queueWebhook } from './queue-webhook.ts'
import { formatAlertUsd } from './watch.ts'
import type { DueAlert } from './watch.ts'

type Key = TextKeyOf<typeof alertMailTexts>
const MAIL_TEXT = {
  low: { subject: 'mail_low_subject', body: 'mail_low_body' },
  budget: { subject: 'mail_budget_subject', body: 'mail_budget_body' },
  used_up: { subject: 'mail_used_up_subject', body: 'mail_used_up_body' },
} as const satisfies Record<string, { readonly subject: Key; readonly body: Key }>

const buildTemplate = (name: keyof typeof MAIL_TEXT): MailTemplate<Key> => ({
  name: `gateway.${name}`,
  texts: alertMailTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

/** Mails the alert if the user wants such mails, and queues the user's webhook. Idempotent per alert. */
export async function sendAlert(deps: Deps, news: DueAlert): Promise<void> {
  const contact = await findContact(deps.db, news.userId)
  if (!contact || (await selectInactiveUsers(deps.db, [news.userId])).size) return
  const { facts, kind } = news
  const wanted = contact.email !== null && (await loadMailChoices(deps.db, news.userId)).balanceAlert
  const settings = await selectAlertSettings(deps.db, news.userId)
  const say = alertMailTexts[contact.lang]
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('alert.told', `user:${news.userId}`, { kind, mail: wanted, webhook: settings?.webhookUrl !== undefined && settings.webhookUrl !== null })
    if (wanted) {
      const name = kind === 'balance.low' ? 'low' : facts['threshold'] === 100 ? 'used_up' : 'budget'
      const page = `${deps.siteUrl()}/api`
      const values: Readonly<Record<string, string>> =
        kind === 'balance.low'
          ? { balance: formatAlertUsd(String(facts['balance'])), threshold: formatAlertUsd(String(facts['threshold'])), link: `${page}?tab=view` }
          : {
              name: String(facts['key_name']),
              period: say[facts['period'] === 'day' ? 'mail_period_day' : 'mail_period_month'],
              threshold: String(facts['threshold']),
              spent: formatAlertUsd(String(facts['spent'])),
              budget: formatAlertUsd(String(facts['budget'])),
              link: `${page}?key=${facts['key_id']}`,
            }
      await sendMail(deps, tx, { to: contact.email!, template: buildTemplate(name), values, lang: contact.lang, dedupe: `gateway.alert:${news.eventId}` })
    }
    if (settings?.webhookUrl) await queueWebhook(deps, tx, { userId: news.userId, id: `evt_${news.eventId}`, event: kind, data: facts })
  })
}
