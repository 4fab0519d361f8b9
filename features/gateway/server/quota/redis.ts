import type * as Ioredis from 'ioredis'
import { loadPackage } from '#platform/server/load-package.ts'
import type { Log } from '#platform/server/log.ts'
import type { Gauge, QuotaAnswer, QuotaRequest, QuotaRefusal } from '../hot/deps.ts'
import type { RunningQuota } from './postgres.ts'
import { END_SCRIPT, RENEW_SCRIPT, TAKE_SCRIPT } from './redis-scripts.ts'

interface Scripts {
  mingxiTake(minute: string, open: string, ...args: readonly (string | number)[]): Promise<TakeReply>
  mingxiEnd(minute: string, open: string, ...args: readonly (string | number)[]): Promise<number>
  mingxiRenew(open: string, ...args: readonly (string | number)[]): Promise<number>
}
type TakeReply = [
  verdict: 'taken' | QuotaRefusal['by'],
  bound: number,
  used: number,
  retryMs: number,
  second: number,
  requestsLeft: number,
  requestsResetMs: number,
  tokensLeft: number,
  tokensResetMs: number,
]

/** Lifetime of a place without renewal, after which a dead process's places are free. */
const PLACE_MS = 30_000
const RENEW_MS = 8_000
/** A timer this late shows that this process stalled, not Redis. */
const LATE_MS = 100

/** Both keys share a hash slot, so that a script may access them in a cluster. */
const minuteKey = (keyId: string) => `mingxi:{${keyId}}:minute`
const openKey = (keyId: string) => `mingxi:{${keyId}}:open`

/** Counts requests, tokens and concurrent calls in Redis or Valkey. No money: budgets are counted beside the books. */
export function createRedisQuota(url: string, log: Log, commandMs: number): RunningQuota {
  const inTime = <T>(work: Promise<T>): Promise<T> => withCommandTimeout(commandMs, work)
  const { Redis } = loadPackage<typeof Ioredis>('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
    connectionName: 'mingxi-gateway',
  })
  redis.defineCommand('mingxiTake', { numberOfKeys: 2, lua: TAKE_SCRIPT })
  redis.defineCommand('mingxiEnd', { numberOfKeys: 2, lua: END_SCRIPT })
  redis.defineCommand('mingxiRenew', { numberOfKeys: 1, lua: RENEW_SCRIPT })
  const scripts = redis as unknown as Scripts
  let wasUp: boolean | undefined
  const note = (up: boolean, error?: Error) => {
    if (up === wasUp) return
    wasUp = up
    if (up) log.info({}, 'limits are counted in Redis')
    else log.error({ err: error }, 'Redis is away: limits are counted in PostgreSQL')
  }
  redis.on('ready', () => note(true))
  redis.on('error', (error: Error) => note(false, error))

  /** Calls under way that are counted in Redis, by key. */
  const open = new Map<string, Set<string>>()
  const renew = async () => {
    await Promise.all([...open].map(([keyId, calls]) => inTime(scripts.mingxiRenew(openKey(keyId), PLACE_MS, ...calls))))
  }
  const timer = setInterval(() => {
    if (open.size) renew().catch((error: unknown) => log.warn({ err: error }, 'places of calls under way were not renewed'))
  }, RENEW_MS)
  timer.unref()
  const forget = (keyId: string, callId: string) => {
    const calls = open.get(keyId)
    if (calls?.delete(callId) && calls.size === 0) open.delete(keyId)
  }

  const put = async (ask: QuotaRequest, only: 0 | 1): Promise<QuotaAnswer> => {
    const { keyId, limits } = ask.key
    const { requestsMinute, tokensMinute, atOnce } = limits!
    const tokens = tokensMinute === undefined ? 0 : Math.ceil(ask.tokens)
    const wanted = [requestsMinute ?? 0, tokensMinute ?? 0, atOnce ?? 0, tokens, PLACE_MS, only] as const
    const reply = await inTime(scripts.mingxiTake(minuteKey(keyId), openKey(keyId), ask.callId, ...wanted)).catch((error: unknown) => {
      // Possibly taken, but not going to be used: end it after the take, on the same connection.
      if (!only) scripts.mingxiEnd(minuteKey(keyId), openKey(keyId), ask.callId, 0, 0, 0).catch(() => {})
      throw error
    })
    const [by, bound, used, retryMs, second, requestsLeft, requestsResetMs, tokensLeft, tokensResetMs] = reply
    const standing = { requests: toGauge(requestsMinute, requestsLeft, requestsResetMs), tokens: toGauge(tokensMinute, tokensLeft, tokensResetMs) }
    if (by !== 'taken')
      return {
        taken: undefined,
        refusal: { by, limit: BigInt(bound), used: BigInt(used), retryMs: retryMs < 0 ? undefined : retryMs },
        standing,
      }
    const taken = { callId: ask.callId, keyId, store: 'redis', tokens, second } as const
    if (only) return { taken, refusal: undefined, standing }
    open.set(keyId, (open.get(keyId) ?? new Set<string>()).add(ask.callId))
    return { taken, refusal: undefined, standing }
  }

  return {
    take: (ask) => put(ask, 0),
    ask: (ask) => put(ask, 1),
    end: async (taken, tokens) => {
      forget(taken.keyId, taken.callId)
      await inTime(scripts.mingxiEnd(minuteKey(taken.keyId), openKey(taken.keyId), taken.callId, taken.second, taken.tokens, Math.max(0, Math.round(tokens))))
        // No retry: without renewal the place expires.
        .catch((error: unknown) => log.warn({ err: error }, 'the end of a call was not written to Redis'))
    },
    // A timer renews all open places.
    keep: () => Promise.resolve(true),
    stop: async () => {
      clearInterval(timer)
      await redis.quit().catch(() => redis.disconnect())
    },
  }
}

/**
 * Rejects if there was no reply in time. A delayed event loop runs timers before it reads input, so the timeout waits once more: a Redis
 * that counted but is treated as unavailable would leave the key counted twice.
 */
function withCommandTimeout<T>(commandMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let due = Date.now() + commandMs
    let again = 2
    const timer = setTimeout(() => {
      if (!again || Date.now() - due < LATE_MS) {
        reject(new Error(`no answer from Redis in ${commandMs} ms`))
        return
      }
      again--
      due = Date.now() + commandMs
      timer.refresh()
    }, commandMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function toGauge(limit: number | undefined, left: number, resetMs: number): Gauge | undefined {
  return limit === undefined ? undefined : { limit, left, resetMs: Math.max(0, resetMs) }
}
