import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { locksContract } from '../../contract-locks.console.ts'
import { selectCountersAbove } from '#features/risk/server/door.ts'
import { maskTarget } from '../contacts.ts'
import { loginsPerAccount } from '../settings.ts'
import { ACCOUNT_BUCKET } from '../passwords/login-limits.ts'
import { selectLockedAccounts } from './data.ts'

type C = typeof locksContract

async function locks({ db, clock, settings }: Ctx, { after, limit }: InputOf<C['locks']>): Promise<ReplyOf<C['locks']>> {
  const counters = await selectCountersAbove(db, ACCOUNT_BUCKET, { limit: await settings.get(loginsPerAccount), now: clock.now() })
  const found = await selectLockedAccounts(db, counters, { after, most: limit + 1 })
  const rows = found.slice(0, limit).map(({ userId, kind, display, count, endsAt }) => ({
    ...{ userId, contact: maskTarget({ kind, subject: '', display }), failures: count, endsAt: endsAt.toISOString() },
  }))
  return { rows, next: found.length > limit ? rows.at(-1)!.userId : null }
}

export const lockRoutes = bind(locksContract, { locks })
