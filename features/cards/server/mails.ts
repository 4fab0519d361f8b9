import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { formatMovementLine } from '#features/wallet/contract-movements.ts'
import type { MovementKind } from '#features/wallet/contract-movements.ts'
import { selectCardById } from './cards/data.ts'
import type { Card } from './cards/data.ts'
import { cardServerTexts } from './mail-texts.ts'
import { fill, createTextLookup, type TextKeyOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'

type Key = TextKeyOf<typeof cardServerTexts>
type Name =
  | 'challenge'
  | 'opened'
  | 'changed'
  | 'open_failed'
  | 'open_failed_free'
  | 'recharged'
  | 'recharge_failed'
  | 'recharge_kept'
  | 'withdrawn'
  | 'declined'
  | 'closed_by_rule'
  | 'closed'
  | 'closed_last'
  | 'refund_to_closed'
  | 'refund_to_new'
  | 'expiring'
  | 'stopped'
  | 'dispute'

const MAIL_TEXT = {
  challenge: { subject: 'mail_challenge_subject', body: 'mail_challenge_body' },
  opened: { subject: 'mail_opened_subject', body: 'mail_opened_body' },
  changed: { subject: 'mail_changed_subject', body: 'mail_changed_body' },
  open_failed: { subject: 'mail_open_failed_subject', body: 'mail_open_failed_body' },
  open_failed_free: { subject: 'mail_open_failed_free_subject', body: 'mail_open_failed_free_body' },
  recharged: { subject: 'mail_recharged_subject', body: 'mail_recharged_body' },
  recharge_failed: { subject: 'mail_recharge_failed_subject', body: 'mail_recharge_failed_body' },
  recharge_kept: { subject: 'mail_recharge_kept_subject', body: 'mail_recharge_kept_body' },
  withdrawn: { subject: 'mail_withdrawn_subject', body: 'mail_withdrawn_body' },
  declined: { subject: 'mail_declined_subject', body: 'mail_declined_body' },
  closed_by_rule: { subject: 'mail_closed_by_rule_subject', body: 'mail_closed_by_rule_body' },
  closed: { subject: 'mail_closed_subject', body: 'mail_closed_body' },
  closed_last: { subject: 'mail_closed_last_subject', body: 'mail_closed_last_body' },
  refund_to_closed: { subject: 'mail_refund_to_closed_subject', body: 'mail_refund_to_closed_body' },
  refund_to_new: { subject: 'mail_refund_to_new_subject', body: 'mail_refund_to_new_body' },
  expiring: { subject: 'mail_expiring_subject', body: 'mail_expiring_body' },
  stopped: { subject: 'mail_stopped_subject', body: 'mail_stopped_body' },
  dispute: { subject: 'mail_dispute_subject', body: 'mail_dispute_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

export const cardMail = (name: Name): MailTemplate<Key> => ({
  name: `cards.${name}`,
  texts: cardServerTexts,
  ...MAIL_TEXT[name],
  // a challenge mail carries a code
  repeatable: name !== 'challenge',
})

const refusalWords = createTextLookup(cardServerTexts, 'mail_why_')
const disputeWords = createTextLookup(cardServerTexts, 'mail_dispute_')

interface CardEvent {
  readonly eventId: string
  readonly userId: string
  readonly cardId: string
  readonly [fact: string]: unknown
}

const MAILS: Readonly<Record<string, (news: CardEvent) => Name | undefined>> = {
  'card.opened': ({ replaces }) => (replaces ? 'changed' : 'opened'),
  'card.open_failed': ({ moneyBack }) => (moneyBack === true ? 'open_failed' : 'open_failed_free'),
  'card.recharged': () => 'recharged',
  'card.recharge_failed': () => 'recharge_failed',
  'card.recharge_kept': () => 'recharge_kept',
  'card.withdrawn': () => 'withdrawn',
  'card.declined': ({ refusals }) => (typeof refusals === 'number' && refusals % 3 === 0 ? 'declined' : undefined),
  'card.closed_by_rule': () => 'closed_by_rule',
  'card.closed': ({ why, deposit }) => (why === 'replaced' || why === 'expired' ? undefined : deposit === '0' ? 'closed' : 'closed_last'),
  'card.refund_to_closed': ({ newCardId }) => (newCardId ? 'refund_to_new' : 'refund_to_closed'),
  'card.expiring': () => 'expiring',
  'card.stopped': () => 'stopped',
  'card.dispute': ({ state }) => (state === 'draft' ? undefined : 'dispute'),
}

/** Mails for every event of a member's card, once per event. */
export const cardMails: readonly EventHandler[] = Object.entries(MAILS).map(([event, nameOf]) => ({
  event,
  name: 'cards.mail',
  handle: (deps: Deps, news: CardEvent) => mailMember(deps, news, nameOf(news)),
}))

const MAIL_MOVEMENTS: Readonly<Partial<Record<Name, MovementKind>>> = {
  recharged: 'card.recharge',
  recharge_failed: 'card.refused',
  withdrawn: 'card.to_balance',
}

/** Line with the mail's ledger movement, in the words of the funds page; empty if the mail has none. */
function formatMailMovement(lang: Lang, name: Name, card: Card | undefined): string {
  const kind = MAIL_MOVEMENTS[name]
  if (kind === undefined || card === undefined) return ''
  const subject = `${cardServerTexts[lang][card.type === 'pro' ? 'funds_pro' : 'funds_standard']} ${card.last4}`
  const place = kind === 'card.recharge' ? { to: subject } : { from: subject }
  return `\n\n${fill(cardServerTexts[lang].mail_moved, { line: formatMovementLine(lang, kind, { subject, ...place }) })}`
}

async function mailMember(deps: Deps, news: CardEvent, name: Name | undefined): Promise<void> {
  if (!name) return
  const contact = await findContact(deps.db, news.userId)
  if (!contact?.email) return
  const { email: to, lang } = contact
  const card = await selectCardById(deps.db, news.cardId)
  const facts = Object.fromEntries(
    Object.entries(news).flatMap(([key, value]) => (typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [])),
  )
  const values = {
    ...facts,
    last4: card?.last4 ?? '',
    moved: formatMailMovement(lang, name, card),
    why: refusalWords(lang, String(news['reason'])) ?? '',
    state: disputeWords(lang, String(news['state'])) ?? '',
    until: card?.validUntil ? toShanghaiDay(card.validUntil.getTime() - 1) : '',
    link: `${deps.siteUrl()}/card`,
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('card.mailed', `card:${news.cardId}`, { mail: name })
    await sendMail(deps, tx, { to, template: cardMail(name), values, lang, dedupe: `cards.${name}:${news.eventId}` })
  })
}
