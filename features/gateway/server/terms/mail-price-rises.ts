import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { selectPlannedRises, claimWithdrawalRecipients, claimRiseRecipients } from '../catalogue/data-terms.ts'
import type { PriceRise } from '../catalogue/data-terms.ts'
import { sendTermsMail, TERMS_MAILS } from './terms-mails.ts'

const USED_WITHIN_DAYS = 30
const BATCH_SIZE = 100
const DAY_MS = 86_400_000
const RECHECK_MS = 3_600_000

let lastAnnounced = { sources: '', at: 0 }

/** Job: announces new plans at once. Users who started meanwhile are found once an hour, because that query reads a month of all users' sums. */
export async function announcePriceRises(deps: Deps): Promise<void> {
  const sources = (await selectPlannedRises(deps.db)).map(({ source }) => source).join('\n')
  const at = deps.clock.now().getTime()
  if (sources !== lastAnnounced.sources || at - lastAnnounced.at >= RECHECK_MS) {
    await mailPriceRises(deps)
    lastAnnounced = { sources, at }
  } else while (await mailWithdrawalBatch(deps));
}

/** Mails recent users of a model that its list price rises, once per plan, and the same users if the plan is withdrawn. */
export async function mailPriceRises(deps: Deps): Promise<void> {
  const since = toShanghaiDay(deps.clock.now().getTime() - USED_WITHIN_DAYS * DAY_MS)
  for (const rise of await selectPlannedRises(deps.db)) while (await mailRiseBatch(deps, rise, since));
  while (await mailWithdrawalBatch(deps));
}

const mailRiseBatch = (deps: Deps, { source, validFrom, models }: PriceRise, since: string): Promise<boolean> =>
  transact(deps.db, SYSTEM, async (tx) => {
    const users = await claimRiseRecipients(tx, source, { models, since, limit: BATCH_SIZE })
    const values = { from: toShanghaiTime(validFrom), count: String(models.length), models: models.join('\n') }
    for (const userId of users)
      await sendTermsMail(deps, tx, { userId, template: TERMS_MAILS.listRises, dedupe: `gateway.price-rise:${source}:${userId}`, values })
    if (users.length) await tx.audit('prices.rise-told', 'prices', { source, users: users.length })
    return users.length === BATCH_SIZE
  })

const mailWithdrawalBatch = (deps: Deps): Promise<boolean> =>
  transact(deps.db, SYSTEM, async (tx) => {
    const told = await claimWithdrawalRecipients(tx, BATCH_SIZE)
    for (const { source, userId } of told)
      await sendTermsMail(deps, tx, { userId, template: TERMS_MAILS.listStays, dedupe: `gateway.price-stay:${source}:${userId}`, values: {} })
    if (told.length) await tx.audit('prices.rise-taken-back', 'prices', { users: told.length })
    return told.length === BATCH_SIZE
  })
