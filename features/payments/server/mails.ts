import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import type { MovementKind } from '#features/wallet/contract-movements.ts'
import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { fill, type TextKeyOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { formatOrderMovement, formatPaymentLine } from './order-movements.ts'
import { paymentMailTexts } from './mail-texts.ts'
import type { OrderMoneyEvent } from './states/emit-order-event.ts'
import { formatOrderTitle } from '../texts-titles.ts'
import type { RefundSource } from './states/data-refunds.ts'

type Key = TextKeyOf<typeof paymentMailTexts>
type Name = 'paid' | 'late' | 'again' | 'returning' | 'mismatch' | 'refunded' | 'refunded_balance' | 'refund_failed' | 'refund_unsent' | 'disputed'

const MAIL_TEXT = {
  paid: { subject: 'mail_paid_subject', body: 'mail_paid_body' },
  late: { subject: 'mail_late_subject', body: 'mail_late_body' },
  again: { subject: 'mail_again_subject', body: 'mail_again_body' },
  returning: { subject: 'mail_returning_subject', body: 'mail_returning_body' },
  mismatch: { subject: 'mail_mismatch_subject', body: 'mail_mismatch_body' },
  refunded: { subject: 'mail_refunded_subject', body: 'mail_refunded_body' },
  refunded_balance: { subject: 'mail_refunded_subject', body: 'mail_refunded_balance_body' },
  refund_failed: { subject: 'mail_refund_failed_subject', body: 'mail_refund_failed_body' },
  refund_unsent: { subject: 'mail_refund_failed_subject', body: 'mail_refund_unsent_body' },
  disputed: { subject: 'mail_disputed_subject', body: 'mail_disputed_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

const buildTemplate = (name: Name): MailTemplate<Key> => ({
  name: `payments.${name}`,
  texts: paymentMailTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

/** News about an order, as sent by `emitOrderEvent`. */
interface OrderEventPayload {
  readonly eventId: string
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  readonly transactionType: number
  readonly returning?: boolean
  readonly goesTo?: 'channel' | 'balance'
  readonly refundSource?: RefundSource
  readonly refundState?: string
  readonly amount: string
  readonly feeRefunded?: string
  readonly [fact: string]: unknown
}

const MAILS: Readonly<Partial<Record<OrderMoneyEvent, (news: OrderEventPayload) => Name | undefined>>> = {
  // Automatic charges have separate mails (auto/events.ts).
  'order.paid': ({ source }) => (source === 'auto' ? undefined : 'paid'),
  'order.paid_late': ({ returning }) => (returning ? 'returning' : 'late'),
  'order.paid_again': ({ returning }) => (returning ? 'returning' : 'again'),
  'order.mismatch': () => 'mismatch',
  'order.refunded': ({ goesTo }) => (goesTo === 'balance' ? 'refunded_balance' : 'refunded'),
  // Income whose refund failed is in no balance until the channel returns it or another refund credits it.
  'order.refund_failed': ({ refundSource, refundState }) => (refundSource === 'revenue' && refundState !== 'reversed' ? 'refund_unsent' : 'refund_failed'),
  'order.disputed': () => 'disputed',
}

/** The ledger movement of each mail, in the words of the funds page; undefined if no customer money has moved. */
const MOVEMENT_LINES: Readonly<Record<Name, (lang: Lang, news: OrderEventPayload) => string | undefined>> = {
  paid: formatPaymentLine,
  late: formatPaymentLine,
  again: (lang, news) => formatOrderMovement(lang, 'topup', { order: news }),
  returning: () => undefined,
  mismatch: (lang, news) => formatOrderMovement(lang, 'topup.suspense', { order: news }),
  refunded: (lang, news) =>
    news.refundSource === 'suspense'
      ? undefined
      : formatOrderMovement(lang, news.refundSource === 'balance' ? 'refund.taken' : 'refund.done', { order: news, isToMethod: true }),
  // A price that a service held was never charged.
  refunded_balance: (lang, news) => (news.refundSource === 'held' ? undefined : formatOrderMovement(lang, 'refund.done', { order: news })),
  refund_failed: (lang, news) => formatOrderMovement(lang, FAILED_REFUND_KINDS[news.refundSource ?? 'balance'], { order: news }),
  refund_unsent: () => undefined,
  disputed: (lang, news) => formatOrderMovement(lang, 'dispute', { order: news, isToMethod: true }),
}
const FAILED_REFUND_KINDS = { balance: 'refund.released', revenue: 'refund.credited', suspense: 'topup', held: 'refund.credited' } as const satisfies Record<
  RefundSource,
  MovementKind
>

/** Mails for every event of a user's money, once per event (T8). Users cannot opt out. */
export const orderMails: readonly EventHandler[] = Object.entries(MAILS).map(([event, nameOf]) => ({
  event,
  name: 'payments.mail',
  handle: (deps: Deps, news: OrderEventPayload) => mailUser(deps, news, nameOf(news)),
}))

async function mailUser(deps: Deps, news: OrderEventPayload, name: Name | undefined): Promise<void> {
  if (!name) return
  const contact = await findContact(deps.db, news.userId)
  if (!contact?.email) return
  const to = contact.email
  const facts = Object.fromEntries(Object.entries(news).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))
  const { lang } = contact
  const line = MOVEMENT_LINES[name](lang, news)
  const values = {
    ...facts,
    // Includes the fee if that is refunded too.
    ...(news.feeRefunded === undefined ? {} : { amount: formatUsd(sumNano([parseUsd(news.amount), parseUsd(news.feeRefunded)])) }),
    title: formatOrderTitle(news.orderType, lang),
    moved: line === undefined ? '' : `\n\n${fill(paymentMailTexts[lang].mail_moved, { line })}`,
    link: `${deps.siteUrl()}/orders/${news.orderNo}`,
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('order.mailed', `order:${news.orderNo}`, { mail: name })
    await sendMail(deps, tx, { to, template: buildTemplate(name), values, lang, dedupe: `payments.${name}:${news.eventId}` })
  })
}
