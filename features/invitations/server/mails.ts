import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { invitationMailTexts } from './mail-texts.ts'
import type { RewardRow } from './rewards/data.ts'
import { reviewDays } from './settings.ts'

const TEMPLATES = {
  rewarded: { name: 'invitations.rewarded', texts: invitationMailTexts, subject: 'mail_rewarded_subject', body: 'mail_rewarded_body', repeatable: true },
  held: { name: 'invitations.held', texts: invitationMailTexts, subject: 'mail_rewarded_subject', body: 'mail_held_body', repeatable: true },
  back: { name: 'invitations.back', texts: invitationMailTexts, subject: 'mail_back_subject', body: 'mail_back_body', repeatable: true },
} as const

/** One mail per reward and event, to the inviter's verified mailbox; it never identifies the invitee. */
export async function mailInviter(deps: Deps, tx: Tx, { reward, event }: { readonly reward: RewardRow; readonly event: 'rewarded' | 'back' }): Promise<void> {
  const contact = await findContact(tx, reward.inviterId)
  if (!contact?.email) return
  const template = event === 'rewarded' && reward.state === 'held' ? TEMPLATES.held : TEMPLATES[event]
  await sendMail(deps, tx, {
    to: contact.email,
    template,
    lang: contact.lang,
    dedupe: `invitation:${reward.id}:${event}:${reward.restored ? 1 : 0}`,
    values: {
      reviewDays: String(await deps.settings.get(reviewDays)),
      amount: formatUsd(reward.amountNano),
      day: toShanghaiDay(reward.availableAt),
      orderNo: reward.orderNo,
      link: `${deps.siteUrl()}/invite-record`,
    },
  })
}
