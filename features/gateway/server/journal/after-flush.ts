import type { Sql } from '#platform/server/database/db.ts'
import { postAllCharges, sumUsage } from './data-posting.ts'

/** Deferred work of flushes, batched over many calls: posting charges to the ledger, adding rows to the sums. */
export interface DeferredTask {
  /** Marks that a flush left work. */
  mark(): void
  run(): Promise<void>
  /** Ms until the next run, by how long the last one took. */
  pause(): number
}

/** How long charges wait in their lease before one posting takes them all to the ledger. */
const MIN_POST_WAIT_MS = 100
/**
 * A posting costs by the account, not by the call: where there are many accounts it takes long, and then waits for four times as long, up
 * to here, so that more calls of each share one.
 */
const MAX_POST_WAIT_MS = 2000
/**
 * How long calls wait to be added to the sums of their hour, day, model and key: ten times as long as that takes, within these bounds. A process
 * with nothing of its own looks for what others left at the upper one.
 */
const MIN_SUM_WAIT_MS = 200
const MAX_SUM_WAIT_MS = 15_000

/** Posts charges to the ledger. One posting at a time: who asks while one runs waits for it, and then for the rest. */
export function createPosting(sql: Sql): DeferredTask {
  let charged = false
  let posting: Promise<unknown> = Promise.resolve()
  let took = 0
  return {
    mark: () => {
      charged = true
    },
    run: async () => {
      await posting.catch(() => {})
      if (!charged) return
      charged = false
      const began = performance.now()
      posting = postAllCharges(sql)
      await posting.catch((error: unknown) => {
        charged = true
        throw error
      })
      took = performance.now() - began
    },
    pause: () => Math.min(MAX_POST_WAIT_MS, Math.max(MIN_POST_WAIT_MS, 4 * took)),
  }
}

/** Adds rows of usage to their sums. */
export function createSummation(sql: Sql): DeferredTask {
  let unsummed = false
  let summedAt = 0
  let took = 0
  return {
    mark: () => {
      unsummed = true
    },
    run: async () => {
      const began = performance.now()
      if (!unsummed && began - summedAt < MAX_SUM_WAIT_MS) return
      unsummed = false
      await sumUsage(sql).catch((error: unknown) => {
        unsummed = true
        throw error
      })
      summedAt = performance.now()
      took = summedAt - began
    },
    pause: () => Math.min(MAX_SUM_WAIT_MS, Math.max(MIN_SUM_WAIT_MS, 10 * took)),
  }
}
