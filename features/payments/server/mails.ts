import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { contactOf } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { mailTexts } from './mail-texts.ts'
import type { OrderNews } from './orders/tell-order.ts'
import { orderTitle } from './orders/view-orders.ts'

type Key = keyof typeof mailTexts.zh
type Name = 'paid' | 'late' | 'again' | 'returning' | 'mismatch' | 'refunded' | 'refund_failed' | 'disputed'

const MAIL_TEXT = {
  paid: { subject: 'mail_paid_subject', body: 'mail_paid_body' },
  late: { subject: 'mail_late_subject', body: 'mail_late_body' },
  again: { subject: 'mail_again_subject', body: 'mail_again_body' },
  returning: { subject: 'mail_returning_subject', body: 'mail_returning_body' },
  mismatch: { subject: 'mail_mismatch_subject', body: 'mail_mismatch_body' },
  refunded: { subject: 'mail_refunded_subject', body: 'mail_refunded_body' },
  refund_failed: { subject: 'mail_refund_failed_subject', body: 'mail_refund_failed_body' },
  disputed: { subject: 'mail_disputed_subject', body: 'mail_disputed_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

const mail = (name: Name): MailTemplate<Key> => ({
  name: `payments.${name}`,
  texts: mailTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

/** News of an order, as `tellOrder` sends it. */
interface News {
  readonly eventId: string
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly returning?: boolean
  readonly [fact: string]: unknown
}

const MAILS: Readonly<Partial<Record<OrderNews, (news: News) => Name | undefined>>> = {
  // Of an automatic charge the mail is its own (auto/events.ts).
  'order.paid': ({ source }) => (source === 'auto' ? undefined : 'paid'),
  'order.paid_late': ({ returning }) => (returning ? 'returning' : 'late'),
  'order.paid_again': ({ returning }) => (returning ? 'returning' : 'again'),
  'order.mismatch': () => 'mismatch',
  'order.refunded': () => 'refunded',
  'order.refund_failed': () => 'refund_failed',
  'order.disputed': () => 'disputed',
}

/** Everything that happens to a user's money is told to the user, once for each piece of news (T8); nobody can opt out of it. */
export const orderMails: readonly EventHandler[] = Object.entries(MAILS).map(([event, nameOf]) => ({
  event,
  name: 'payments.mail',
  handle: (deps: Deps, news: News) => tellUser(deps, news, nameOf(news)),
}))

async function tellUser(deps: Deps, news: News, name: Name | undefined): Promise<void> {
  if (!name) return
  const contact = await contactOf(deps.db, news.userId)
  if (!contact?.email) return
  const to = contact.email
  const facts = Object.fromEntries(Object.entries(news).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))
  const values = { ...facts, title: orderTitle(news.orderType, contact.lang), link: `${deps.siteUrl()}/orders/${news.orderNo}` }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('order.mailed', `order:${news.orderNo}`, { mail: name })
    await sendMail(deps, tx, { to, template: mail(name), values, lang: contact.lang, dedupe: `payments.${name}:${news.eventId}` })
  })
}
