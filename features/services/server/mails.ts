import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { fill, type TextKeyOf } from '#platform/shared/texts.ts'
import { serviceKitTexts } from '../texts.ts'
import { NOT_PAID } from '../words.ts'
import { listServiceSpecs } from './kit/registry.ts'
import { describeServiceRefusal, translateServiceTitle, translateServiceWord } from './records/view.ts'

type Key = TextKeyOf<typeof serviceKitTexts>
type MailName = 'delivered' | 'failed' | 'ended' | 'kept'

const MAIL_TEXT = {
  delivered: { subject: 'mail_delivered_subject', body: 'mail_delivered_body' },
  failed: { subject: 'mail_failed_subject', body: 'mail_failed_body' },
  ended: { subject: 'mail_ended_subject', body: 'mail_ended_body' },
  kept: { subject: 'mail_kept_subject', body: 'mail_kept_body' },
} as const satisfies Record<MailName, { readonly subject: Key; readonly body: Key }>

export const buildServiceMail = (name: MailName): MailTemplate<Key> => ({
  name: `services.${name}`,
  texts: serviceKitTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

interface TaskMovedEvent {
  readonly eventId: string
  readonly taskId: string
  readonly userId: string
  readonly service: string
  readonly product: string
  readonly phase: string
  readonly was: string
  readonly cause: string
  readonly amount: string
  readonly charged: string
  readonly returned: string
  readonly free: string
}

/** Selects the mail for a change: delivered, failed or ended. Paid tasks only; free ones are shown on the page. */
function chooseMailName({ was, phase, cause, amount, free }: TaskMovedEvent): MailName | undefined {
  if (cause === NOT_PAID || (amount === '0' && free === 'no') || was === phase) return undefined
  if (phase === 'failed') return 'failed'
  if (amount === '0') return undefined
  if (was === 'using') return 'ended'
  return phase === 'using' || phase === 'done' ? 'delivered' : undefined
}

function chooseMoneyText({ charged, returned, amount, free }: TaskMovedEvent): Key {
  if (free === 'back') return 'mail_free_back'
  if (charged === '0' && amount !== '0') return 'mail_money_back'
  if (charged === '0') return 'mail_money_none'
  if (returned !== '0') return 'mail_money_part'
  return 'mail_money_kept'
}

export const serviceMails: readonly EventHandler[] = [
  { event: 'service.moved', name: 'services.mail', handle: mailMovedTask },
  { event: 'service.kept', name: 'services.mail_kept', handle: mailKeptMoney },
]

async function mailMovedTask(deps: Deps, news: TaskMovedEvent): Promise<void> {
  const name = chooseMailName(news)
  const spec = listServiceSpecs().find((each) => each.name === news.service)
  const contact = name && spec ? await findContact(deps.db, news.userId) : undefined
  if (!name || !spec || !contact?.email) return
  const { email: to, lang } = contact
  const values = {
    title: translateServiceTitle(news.service, lang),
    product: translateServiceWord(news.service, 'product', { name: news.product, lang }),
    cause: translateServiceWord(news.service, 'cause', { name: news.cause, lang }),
    charged: news.charged,
    amount: news.amount,
    link: `${deps.siteUrl()}${spec.path}`,
  }
  const money = fill(serviceKitTexts[lang][chooseMoneyText(news)], { amount: news.amount, charged: news.charged, returned: news.returned })
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.mailed', `service:${news.taskId}`, { mail: name })
    await sendMail(deps, tx, { to, template: buildServiceMail(name), values: { ...values, money }, lang, dedupe: `services.${name}:${news.eventId}` })
  })
}

interface MoneyKeptEvent {
  readonly eventId: string
  readonly userId: string
  readonly orderNo: string
  readonly amount: string
  readonly service: string
  readonly why: string
  readonly data?: Readonly<Record<string, unknown>>
}

async function mailKeptMoney(deps: Deps, news: MoneyKeptEvent): Promise<void> {
  const contact = await findContact(deps.db, news.userId)
  if (!contact?.email) return
  const { email: to, lang } = contact
  const why = describeServiceRefusal(news.service, news.why, { data: news.data ?? {}, lang })
  const values = { orderNo: news.orderNo, amount: news.amount, why, link: `${deps.siteUrl()}/orders/${news.orderNo}` }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.mailed', `order:${news.orderNo}`, { mail: 'kept' })
    await sendMail(deps, tx, { to, template: buildServiceMail('kept'), values, lang, dedupe: `services.kept:${news.eventId}` })
  })
}
