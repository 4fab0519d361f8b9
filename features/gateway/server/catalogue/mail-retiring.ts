import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { MailTemplate } from '#features/notices/server/door.ts'
import { selectRetiringModels, claimRetirementRecipients } from './data.ts'
import type { RetiringModel } from './data.ts'
import { REROUTE_DAYS } from './lifecycle.ts'
import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import en from './messages/retiring.en.json' with { type: 'json' }
import zh from './messages/retiring.zh.json' with { type: 'json' }

const texts = defineTexts({ zh, en })
type Key = TextKeyOf<typeof texts>

/** Mail for a model that ends and whose calls its successor takes for a while. */
const retiringMail: MailTemplate<Key> = {
  name: 'gateway.retiring',
  texts,
  subject: 'mail_retiring_subject',
  body: 'mail_retiring_body',
  repeatable: true,
}
/** Mail for a model that ends without a successor. */
const endingMail: MailTemplate<Key> = { name: 'gateway.ending', texts, subject: 'mail_ending_subject', body: 'mail_ending_body', repeatable: true }

const USED_WITHIN_DAYS = 30
const BATCH_SIZE = 100
const DAY_MS = 86_400_000

/** Mails recent users of a model that its end is announced, once per model and user. */
export async function mailRetiringModels(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const since = toShanghaiDay(now.getTime() - USED_WITHIN_DAYS * DAY_MS)
  for (const model of await selectRetiringModels(deps.db, toShanghaiDay(now))) {
    while (
      await transact(deps.db, SYSTEM, async (tx) => {
        const users = await claimRetirementRecipients(tx, model.modelId, { since, limit: BATCH_SIZE })
        for (const userId of users) await mailRetirement(deps, tx, { model, userId })
        if (users.length) await tx.audit('gateway.retirement-told', `model:${model.modelId}`, { users: users.length })
        return users.length === BATCH_SIZE
      })
    );
  }
}

/** Skips users without a verified email address; the headers of every response announce the retirement too. */
async function mailRetirement(deps: Deps, tx: Tx, { model, userId }: { readonly model: RetiringModel; readonly userId: string }): Promise<void> {
  const contact = await findContact(tx, userId)
  if (!contact?.email) return
  await sendMail(deps, tx, {
    to: contact.email,
    template: model.successor === null ? endingMail : retiringMail,
    values: {
      model: model.modelId,
      day: model.retiresOn,
      days: String(REROUTE_DAYS),
      successor: model.successor ?? '',
      link: `${deps.siteUrl()}/api`,
    },
    lang: contact.lang,
    dedupe: `gateway.retiring:${model.modelId}:${userId}`,
    goodForSeconds: 3 * 86_400,
  })
}
