import { NANO_PER_USD, divideUp, multiplyNano } from '#platform/shared/money.ts'
import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { countLiveNodes } from '../keys/data.ts'
import type { AccountShare } from '../hot/deps.ts'
import { accountAtOnce, accountAtRisk, accountRequestsMinute } from '../settings.ts'

const READ_MS = 2_000

/** This process's share of the limit per account, reread every two seconds; the last value is kept while the database is unavailable. */
export interface RunningShare {
  now(): AccountShare
  stop(): void
}

export async function createAccountShare(db: Db, log: Log, deadMs: number): Promise<RunningShare> {
  const settings = createSettings(db, 0)
  const read = async (): Promise<AccountShare> => {
    const nodes = Math.max(1, await countLiveNodes(db, deadMs))
    const part = (limit: number) => (limit === 0 ? Infinity : Math.ceil(limit / nodes))
    const atRisk = await settings.get(accountAtRisk)
    return {
      nodes,
      requestsMinute: part(await settings.get(accountRequestsMinute)),
      atOnce: part(await settings.get(accountAtOnce)),
      atRisk: atRisk === 0 ? undefined : divideUp(multiplyNano(NANO_PER_USD, atRisk), BigInt(nodes)),
    }
  }
  let share = await read()
  const timer = setInterval(() => {
    read().then(
      (next) => {
        share = next
      },
      (error: unknown) => log.warn({ err: error }, 'limits of accounts could not be read'),
    )
  }, READ_MS).unref()
  return { now: () => share, stop: () => clearInterval(timer) }
}
