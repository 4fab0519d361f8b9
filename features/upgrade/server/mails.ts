import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { minus, plus, usd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import { contactOf } from '#features/account/server/door.ts'
import { takenFor } from '#features/cards/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { serviceHours } from '#features/services/server/door.ts'
import { orderOfTask } from './data.ts'
import { hoursText } from './eta.ts'
import { UPGRADE } from './service.ts'
import { upgradeLimits } from './settings.ts'
import { causeWords, planName, upgradeServerTexts, wayWords } from './texts.ts'

type Key = keyof typeof upgradeServerTexts.zh
type Name = 'done' | 'failed' | 'link'

const MAIL_TEXT = {
  done: { subject: 'mail_done_subject', body: 'mail_done_body' },
  failed: { subject: 'mail_failed_subject', body: 'mail_failed_body' },
  link: { subject: 'mail_link_subject', body: 'mail_link_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

const mailOf = (name: Name): MailTemplate<Key> => ({
  name: `upgrade.${name}`,
  texts: upgradeServerTexts,
  ...MAIL_TEXT[name],
  repeatable: name !== 'link',
})

interface Moved {
  readonly eventId: string
  readonly taskId: string
  readonly userId: string
  readonly service: string
  readonly state: string
  readonly cause: string
}

const NAMES: Readonly<Record<string, Name>> = { done: 'done', failed: 'failed', link_expired: 'link' }

/** Mails to the member when a new link is needed and when the order ends, once each; none if the member left the queue. */
export const upgradeMails: readonly EventHandler[] = [{ event: 'service.moved', name: 'upgrade.mail', handle: tell }]

async function tell(deps: Deps, news: Moved): Promise<void> {
  const name = news.service === UPGRADE && news.cause !== 'given_up' ? NAMES[news.state] : undefined
  const [order, contact] = name ? [await orderOfTask(deps.db, news.taskId), await contactOf(deps.db, news.userId)] : []
  if (!name || !order || !contact?.email) return
  const { email: to, lang } = contact
  const taken = (await takenFor(deps.db, [news.taskId])).get(news.taskId) ?? 0n
  const { riskHours, linkHours } = await deps.settings.get(upgradeLimits)
  const values = {
    plan: planName(lang, order.plan),
    account: order.account,
    last4: order.last4,
    taken: usd(taken),
    back: usd(minus(plus(order.amount!, order.fee!), taken)),
    cause: causeWords(lang, news.cause) ?? '',
    way: fill(wayWords(lang, news.cause) ?? '', { riskHours, ...hoursText(await deps.settings.get(serviceHours)) }),
    hours: String(linkHours),
    link: `${deps.siteUrl()}/gpt-upgrade?id=${order.id}`,
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('upgrade.mailed', `service:${news.taskId}`, { mail: name })
    await sendMail(deps, tx, { to, template: mailOf(name), values, lang, dedupe: `upgrade.${name}:${news.eventId}` })
  })
}
