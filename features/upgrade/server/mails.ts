import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { subtractNano, addNano, formatUsd } from '#platform/shared/money.ts'
import { fill, type TextKeyOf } from '#platform/shared/texts.ts'
import { findContact } from '#features/account/server/door.ts'
import { selectTakenByTask } from '#features/cards/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { serviceHours } from '#features/services/server/door.ts'
import { findUpgradeOrderByTask } from './data.ts'
import { formatDeskHours } from './eta.ts'
import { UPGRADE } from './service.ts'
import { upgradeLimits } from './settings.ts'
import { upgradeCauseWords, formatUpgradePlanName, upgradeServerTexts, upgradeWayWords } from './texts.ts'

type Key = TextKeyOf<typeof upgradeServerTexts>
type MailName = 'done' | 'failed' | 'link'

const MAIL_TEXT = {
  done: { subject: 'mail_done_subject', body: 'mail_done_body' },
  failed: { subject: 'mail_failed_subject', body: 'mail_failed_body' },
  link: { subject: 'mail_link_subject', body: 'mail_link_body' },
} as const satisfies Record<MailName, { readonly subject: Key; readonly body: Key }>

const mailOf = (name: MailName): MailTemplate<Key> => ({
  name: `upgrade.${name}`,
  texts: upgradeServerTexts,
  ...MAIL_TEXT[name],
  repeatable: name !== 'link',
})

interface TaskMove {
  readonly eventId: string
  readonly taskId: string
  readonly userId: string
  readonly service: string
  readonly state: string
  readonly cause: string
}

const NAMES: Readonly<Record<string, MailName>> = { done: 'done', failed: 'failed', link_expired: 'link' }

/** Mails to the member when a new link is needed and when the order ends, once each; none if the member left the queue. */
export const upgradeMails: readonly EventHandler[] = [{ event: 'service.moved', name: 'upgrade.mail', handle: mailTaskMove }]

async function mailTaskMove(deps: Deps, news: TaskMove): Promise<void> {
  const name = news.service === UPGRADE && news.cause !== 'given_up' ? NAMES[news.state] : undefined
  const [order, contact] = name ? [await findUpgradeOrderByTask(deps.db, news.taskId), await findContact(deps.db, news.userId)] : []
  if (!name || !order || !contact?.email) return
  const { email: to, lang } = contact
  const taken = (await selectTakenByTask(deps.db, [news.taskId])).get(news.taskId) ?? 0n
  const { riskHours, linkHours } = await deps.settings.get(upgradeLimits)
  const values = {
    plan: formatUpgradePlanName(lang, order.plan),
    account: order.account,
    last4: order.last4,
    taken: formatUsd(taken),
    back: formatUsd(subtractNano(addNano(order.amount!, order.fee!), taken)),
    cause: upgradeCauseWords(lang, news.cause) ?? '',
    way: fill(upgradeWayWords(lang, news.cause) ?? '', { riskHours, ...formatDeskHours(await deps.settings.get(serviceHours)) }),
    hours: String(linkHours),
    link: `${deps.siteUrl()}/gpt-upgrade?id=${order.id}`,
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('upgrade.mailed', `service:${news.taskId}`, { mail: name })
    await sendMail(deps, tx, { to, template: mailOf(name), values, lang, dedupe: `upgrade.${name}:${news.eventId}` })
  })
}
