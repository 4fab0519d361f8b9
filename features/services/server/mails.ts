import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { contactOf } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { fill } from '#platform/shared/texts.ts'
import { serviceTexts } from '../texts.ts'
import { NOT_PAID } from '../words.ts'
import { allSpecs } from './kit/registry.ts'
import { refusalOf, titleOf, wordOf } from './records/view.ts'

type Key = keyof typeof serviceTexts.zh
type Name = 'delivered' | 'failed' | 'ended' | 'kept'

const MAIL_TEXT = {
  delivered: { subject: 'mail_delivered_subject', body: 'mail_delivered_body' },
  failed: { subject: 'mail_failed_subject', body: 'mail_failed_body' },
  ended: { subject: 'mail_ended_subject', body: 'mail_ended_body' },
  kept: { subject: 'mail_kept_subject', body: 'mail_kept_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

export const serviceMail = (name: Name): MailTemplate<Key> => ({
  name: `services.${name}`,
  texts: serviceTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

interface Moved {
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

/** Delivered, not delivered, at its end: paid things alone; what is free is seen on the page. */
function nameOf({ was, phase, cause, amount, free }: Moved): Name | undefined {
  if (cause === NOT_PAID || (amount === '0' && free === 'no') || was === phase) return undefined
  if (phase === 'failed') return 'failed'
  if (amount === '0') return undefined
  if (was === 'using') return 'ended'
  return phase === 'using' || phase === 'done' ? 'delivered' : undefined
}

function moneyKey({ charged, returned, amount, free }: Moved): Key {
  if (free === 'back') return 'mail_free_back'
  if (charged === '0' && amount !== '0') return 'mail_money_back'
  if (charged === '0') return 'mail_money_none'
  if (returned !== '0') return 'mail_money_part'
  return 'mail_money_kept'
}

export const serviceMails: readonly EventHandler[] = [
  { event: 'service.moved', name: 'services.mail', handle: tellMoved },
  { event: 'service.kept', name: 'services.mail_kept', handle: tellKept },
]

async function tellMoved(deps: Deps, news: Moved): Promise<void> {
  const name = nameOf(news)
  const spec = allSpecs().find((each) => each.name === news.service)
  const contact = name && spec ? await contactOf(deps.db, news.userId) : undefined
  if (!name || !spec || !contact?.email) return
  const { email: to, lang } = contact
  const values = {
    title: titleOf(news.service, lang),
    product: wordOf(news.service, 'product', news.product, lang),
    cause: wordOf(news.service, 'cause', news.cause, lang),
    charged: news.charged,
    amount: news.amount,
    link: `${deps.siteUrl()}${spec.path}`,
  }
  const money = fill(serviceTexts[lang][moneyKey(news)], { amount: news.amount, charged: news.charged, returned: news.returned })
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.mailed', `service:${news.taskId}`, { mail: name })
    await sendMail(deps, tx, { to, template: serviceMail(name), values: { ...values, money }, lang, dedupe: `services.${name}:${news.eventId}` })
  })
}

interface Kept {
  readonly eventId: string
  readonly userId: string
  readonly orderNo: string
  readonly amount: string
  readonly service: string
  readonly why: string
  readonly data?: Readonly<Record<string, unknown>>
}

async function tellKept(deps: Deps, news: Kept): Promise<void> {
  const contact = await contactOf(deps.db, news.userId)
  if (!contact?.email) return
  const { email: to, lang } = contact
  const why = refusalOf(news.service, news.why, news.data ?? {}, lang)
  const values = { orderNo: news.orderNo, amount: news.amount, why, link: `${deps.siteUrl()}/orders/${news.orderNo}` }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.mailed', `order:${news.orderNo}`, { mail: 'kept' })
    await sendMail(deps, tx, { to, template: serviceMail('kept'), values, lang, dedupe: `services.kept:${news.eventId}` })
  })
}
