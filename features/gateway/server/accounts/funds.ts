import type { Db } from '#platform/server/database/db.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { selectKeyName } from '../keys/data.ts'
import { selectUsageTotals } from '../usage/data.ts'
import type { ApiKey, Funds } from '../hot/deps.ts'
import { getDayAfter } from '../usage/usage-summary.ts'

/** Clients poll after every answer, and some on a timer. */
const FRESH_MS = 5_000
const MAX_CACHED = 10_000
const FIRST_DAY = '2020-01-01'

/** Returns a reader for an account's balance and use, cached per key for 5 s. */
export function createFundsReader(db: Db, now: () => Date): (key: ApiKey) => Promise<Funds> {
  const kept = new Map<string, { readonly at: number; readonly funds: Promise<Funds> }>()
  return (key) => {
    const found = kept.get(key.keyId)
    const at = now().getTime()
    if (found !== undefined && at - found.at < FRESH_MS) return found.funds
    const funds = readFunds(db, key, now())
    // Evict the oldest entries first, and do not cache failures.
    kept.delete(key.keyId)
    kept.set(key.keyId, { at, funds })
    if (kept.size > MAX_CACHED) kept.delete(kept.keys().next().value!)
    funds.catch(() => kept.delete(key.keyId))
    return funds
  }
}

async function readFunds(db: Db, key: ApiKey, now: Date): Promise<Funds> {
  const today = toShanghaiDay(now)
  const range = { accountId: key.accountId, before: getDayAfter(today), model: undefined }
  const [balance, month, own, name] = await Promise.all([
    readBalance(db, key.userId),
    selectUsageTotals(db, { ...range, keyId: undefined, from: `${today.slice(0, 7)}-01` }),
    selectUsageTotals(db, { ...range, keyId: key.keyId, from: FIRST_DAY }),
    selectKeyName(db, key.keyId),
  ])
  return {
    // Same figure as in the console, including money set aside by open calls.
    balance: balance.receivable < 0n ? balance.receivable : balance.posted,
    granted: balance.grantedUnspent,
    usedThisMonth: month.amount,
    usedByKey: own.amount,
    keyName: name ?? '',
    keyModels: key.limits?.models,
    keyExpiresAt: key.limits?.expiresAt === undefined ? undefined : new Date(key.limits.expiresAt),
  }
}
