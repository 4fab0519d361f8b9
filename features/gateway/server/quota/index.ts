import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { countEvent } from '#platform/server/metrics.ts'
import type { QuotaAnswer, QuotaRequest } from '../hot/deps.ts'
import { createPostgresQuota } from './postgres.ts'
import type { RunningQuota } from './postgres.ts'
import { createRedisQuota } from './redis.ts'

/**
 * Creates the quota. Counts in PostgreSQL, unless Redis is configured and the key has no budget: dollars are counted beside the books that
 * they must match. All limits of a key are counted in one store. While Redis is unavailable, its keys are counted in PostgreSQL, equally
 * exact, starting with an empty minute (docs/decisions/key-limits.md).
 */
export function createQuota(
  sql: Db,
  node: () => string,
  { log, redisUrl, commandMs }: { readonly log: Log; readonly redisUrl: string | undefined; readonly commandMs: number },
): RunningQuota {
  const postgres = createPostgresQuota(sql, node, log)
  if (redisUrl === undefined) return postgres
  const redis = createRedisQuota(redisUrl, log, commandMs)
  const either = async (what: 'take' | 'ask', ask: QuotaRequest): Promise<QuotaAnswer> => {
    if (ask.key.limits?.budget !== false) return postgres[what](ask)
    try {
      return await redis[what](ask)
    } catch {
      countEvent('gateway.redis_away')
      return postgres[what](ask)
    }
  }
  return {
    take: (ask) => either('take', ask),
    ask: (ask) => either('ask', ask),
    end: (taken, tokens) => (taken.store === 'redis' ? redis : postgres).end(taken, tokens),
    keep: (taken) => (taken.store === 'redis' ? redis : postgres).keep(taken),
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()])
    },
  }
}
