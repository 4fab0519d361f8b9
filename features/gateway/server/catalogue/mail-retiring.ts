import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { selectRetiringModels, claimRetirementRecipients } from './data.ts'
import type { RetiringModel } from './data.ts'
import { REROUTE_DAYS } from './lifecycle.ts'
import { endingMail, retiringMail } from './retiring-mails.ts'

const USED_WITHIN_DAYS = 30
const BATCH_SIZE = 100
const DAY_MS = 86_400_000

/** Mails everybody who used a model lately that its end is announced, once for each model and user. */
export async function mailRetiringModels(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const since = toShanghaiDay(now.getTime() - USED_WITHIN_DAYS * DAY_MS)
  for (const model of await selectRetiringModels(deps.db, toShanghaiDay(now))) {
    while (
      await transact(deps.db, SYSTEM, async (tx) => {
        const users = await claimRetirementRecipients(tx, model.model_id, since, BATCH_SIZE)
        for (const userId of users) await mailRetirement(deps, tx, model, userId)
        if (users.length) await tx.audit('gateway.retirement-told', `model:${model.model_id}`, { users: users.length })
        return users.length === BATCH_SIZE
      })
    );
  }
}

/** Skips users without a verified email address; the headers of every response announce the retirement too. */
async function mailRetirement(deps: Deps, tx: Tx, model: RetiringModel, userId: string): Promise<void> {
  const contact = await findContact(tx, userId)
  if (!contact?.email) return
  await sendMail(deps, tx, {
    to: contact.email,
    template: model.successor === null ? endingMail : retiringMail,
    values: {
      model: model.model_id,
      day: model.retires_on,
      days: String(REROUTE_DAYS),
      successor: model.successor ?? '',
      link: `${deps.siteUrl()}/api`,
    },
    lang: contact.lang,
    dedupe: `gateway.retiring:${model.model_id}:${userId}`,
    goodForSeconds: 3 * 86_400,
  })
}
