import { calm as readAhead } from '#platform/server/calm.ts'
import type { Deps } from '#platform/server/feature.ts'
import { blockedMerchants, cardFees, cardTypes, closingRules, spendingLimits } from '../settings.ts'

const lines = new Map<string, Promise<unknown>>()

/** One after another for a key: a storm on one card keeps one connection busy, not all of them. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const over = mine.then(
    () => undefined,
    () => undefined,
  )
  lines.set(key, over)
  void over.then(() => {
    if (lines.get(key) === over) lines.delete(key)
  })
  return mine
}

const READ = [blockedMerchants, cardFees, cardTypes, closingRules, spendingLimits]

/** The settings that decide about money, read before a transaction. */
export const calm = (deps: Deps): Promise<Deps> => readAhead(deps, READ)
