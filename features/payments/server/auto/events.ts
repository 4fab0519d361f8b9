import type { Deps, EventHandler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { clearAgreementLabels, markAgreementEnding } from '../plans/data-agreements.ts'
import { selectLiveCharge } from '../plans/data-charges.ts'
import { endPlan, lockPlan, selectAutoPlan, warnPlan } from '../plans/data-plans.ts'
import { autoMailTexts } from './mail-texts.ts'
import type { AutoEvent } from '../plans/emit-auto-event.ts'
import { cancelAnnouncedCharge } from './verbs/send-charge.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Key = TextKeyOf<typeof autoMailTexts>
type Name = 'started' | 'changed' | 'announced' | 'paid' | 'refused' | 'authentication' | 'off' | 'ended' | 'ceiling' | 'stopped'

const MAIL_TEXT = {
  started: { subject: 'mail_auto_started_subject', body: 'mail_auto_started_body' },
  changed: { subject: 'mail_auto_changed_subject', body: 'mail_auto_changed_body' },
  announced: { subject: 'mail_auto_announced_subject', body: 'mail_auto_announced_body' },
  paid: { subject: 'mail_auto_paid_subject', body: 'mail_auto_paid_body' },
  refused: { subject: 'mail_auto_refused_subject', body: 'mail_auto_refused_body' },
  authentication: { subject: 'mail_auto_authentication_subject', body: 'mail_auto_authentication_body' },
  off: { subject: 'mail_auto_off_subject', body: 'mail_auto_off_body' },
  ended: { subject: 'mail_auto_ended_subject', body: 'mail_auto_ended_body' },
  ceiling: { subject: 'mail_auto_ceiling_subject', body: 'mail_auto_ceiling_body' },
  stopped: { subject: 'mail_auto_stopped_subject', body: 'mail_auto_stopped_body' },
} as const satisfies Record<Name, { readonly subject: Key; readonly body: Key }>

const buildTemplate = (name: Name): MailTemplate<Key> => ({
  name: `payments.auto-${name}`,
  texts: autoMailTexts,
  ...MAIL_TEXT[name],
  repeatable: true,
})

interface AutoEventPayload {
  readonly eventId: string
  readonly userId: string
  readonly source?: string
  readonly refusal?: string
  readonly [fact: string]: unknown
}

const MAILS: Readonly<Record<AutoEvent | 'order.paid', (news: AutoEventPayload) => Name | undefined>> = {
  'auto.started': () => 'started',
  'auto.changed': () => 'changed',
  'auto.announced': () => 'announced',
  'auto.refused': ({ refusal }) => (refusal === 'authentication' ? 'authentication' : 'refused'),
  'auto.off': () => 'off',
  'auto.ceiling': () => 'ceiling',
  'auto.stopped': () => 'stopped',
  'auto.ended': () => 'ended',
  'order.paid': ({ source }) => (source === 'auto' ? 'paid' : undefined),
}

/** Mails before and after every charge, and for every change of a plan. Users cannot opt out (T8). */
const mailHandlers: readonly EventHandler[] = Object.entries(MAILS).map(([event, nameOf]) => ({
  event,
  name: 'payments.auto-mail',
  handle: (deps: Deps, news: AutoEventPayload) => mailUser(deps, news, nameOf(news)),
}))

async function mailUser(deps: Deps, news: AutoEventPayload, name: Name | undefined): Promise<void> {
  if (!name) return
  const contact = await findContact(deps.db, news.userId)
  if (!contact?.email) return
  const to = contact.email
  const facts = Object.fromEntries(Object.entries(news).flatMap(([key, value]) => (typeof value === 'object' ? [] : [[key, String(value)]])))
  const values = { ...facts, link: `${deps.siteUrl()}/api?tab=view#auto-recharge` }
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('auto.mailed', `user:${news.userId}`, { mail: name })
    await sendMail(deps, tx, { to, template: buildTemplate(name), values, lang: contact.lang, dedupe: `payments.auto-${name}:${news.eventId}` })
  })
}

/** The payer's bank disputes an automatic charge: charging stops until the user has looked. */
async function onDisputed(deps: Deps, { userId, source, orderNo }: AutoEventPayload): Promise<void> {
  if (source !== 'auto') return
  await transact(deps.db, SYSTEM, async (tx) => {
    if ((await lockPlan(tx, userId)).state !== 'active') return
    await warnPlan(tx, userId, 'disputed')
    await tx.audit('auto.disputed', `order:${String(orderNo)}`)
  })
}

/** The account is closed: charging stops, the stored method is revoked at its channel, and its label is deleted. */
async function onDeleted(deps: Deps, { userId }: AutoEventPayload): Promise<void> {
  if (!(await selectAutoPlan(deps.db, userId))) return
  await transact(deps.db, SYSTEM, async (tx) => {
    const plan = await lockPlan(tx, userId)
    await endPlan(tx, userId)
    if (plan.agreement_no) await markAgreementEnding(tx, plan.agreement_no, 'house')
    await clearAgreementLabels(tx, userId)
    await tx.audit('auto.closed', `user:${userId}`)
  })
  const live = await selectLiveCharge(deps.db, userId)
  if (live?.state === 'announced') await cancelAnnouncedCharge(deps, live.order_id)
}

export const autoEvents: readonly EventHandler[] = [
  ...mailHandlers,
  { event: 'order.disputed', name: 'payments.auto', handle: onDisputed },
  { event: 'user.deleted', name: 'payments.auto', handle: onDeleted },
]
