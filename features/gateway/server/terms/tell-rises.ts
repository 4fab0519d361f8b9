import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import { risesToCome, takeTakenBack, takeUntoldOfRise } from '../catalogue/data-terms.ts'
import type { Rise } from '../catalogue/data-terms.ts'
import { tellOfPrices, TERMS_MAILS } from './terms-mails.ts'

const USED_WITHIN_DAYS = 30
const AT_ONCE = 100
const DAY_MS = 86_400_000
const AGAIN_MS = 3_600_000

let seen = { sources: '', at: 0 }

/** Job: announces new plans at once. Users who started meanwhile are found once an hour, because that query reads a month of all users' sums. */
export async function watchRises(deps: Deps): Promise<void> {
  const sources = (await risesToCome(deps.db)).map(({ source }) => source).join('\n')
  const at = deps.clock.now().getTime()
  if (sources !== seen.sources || at - seen.at >= AGAIN_MS) {
    await tellRises(deps)
    seen = { sources, at }
  } else while (await takeBackSome(deps));
}

/** Mails recent users of a model that its list price rises, once per plan, and the same users if the plan is withdrawn. */
export async function tellRises(deps: Deps): Promise<void> {
  const since = shanghaiDay(deps.clock.now().getTime() - USED_WITHIN_DAYS * DAY_MS)
  for (const rise of await risesToCome(deps.db)) while (await tellSome(deps, rise, since));
  while (await takeBackSome(deps));
}

const tellSome = (deps: Deps, { source, valid_from, models }: Rise, since: string): Promise<boolean> =>
  transact(deps.db, SYSTEM, async (tx) => {
    const users = await takeUntoldOfRise(tx, source, models, since, AT_ONCE)
    const values = { from: shanghaiTime(valid_from), count: String(models.length), models: models.join('\n') }
    for (const userId of users) await tellOfPrices(deps, tx, userId, TERMS_MAILS.listRises, `gateway.price-rise:${source}:${userId}`, values)
    if (users.length) await tx.audit('prices.rise-told', 'prices', { source, users: users.length })
    return users.length === AT_ONCE
  })

const takeBackSome = (deps: Deps): Promise<boolean> =>
  transact(deps.db, SYSTEM, async (tx) => {
    const told = await takeTakenBack(tx, AT_ONCE)
    for (const { source, user_id } of told) await tellOfPrices(deps, tx, user_id, TERMS_MAILS.listStays, `gateway.price-stay:${source}:${user_id}`, {})
    if (told.length) await tx.audit('prices.rise-taken-back', 'prices', { users: told.length })
    return told.length === AT_ONCE
  })
