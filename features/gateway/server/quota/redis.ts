import type * as Ioredis from 'ioredis'
import { loadPackage } from '#platform/server/load-package.ts'
import type { Log } from '#platform/server/log.ts'
import type { Gauge, QuotaAnswer, QuotaRequest, QuotaRefusal } from '../hot/deps.ts'
import type { RunningQuota } from './postgres.ts'

/**
 * One script per operation, by the server's clock. Two Redis keys per API key: a hash of its last seconds (`r<second>` requests,
 * `t<second>` tokens), and a sorted set of its calls under way by the time at which their places expire unless renewed. The minute is the
 * same as in PostgreSQL (`gateway_take`): the current second and the 59 before it.
 */

/**
 * ARGV: call, requests a minute, tokens a minute, concurrent calls (0: none), tokens of the call, lifetime of a place in ms, 1 for a dry
 * run.
 */
const TAKE_SCRIPT = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local second = tonumber(t[1])
local most_requests, most_tokens, most_open = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local asked = most_tokens > 0 and tonumber(ARGV[5]) or 0
local counts = { r = {}, t = {} }
local sums = { r = 0, t = 0 }
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local kind, at, count = string.sub(fields[i], 1, 1), tonumber(string.sub(fields[i], 2)), tonumber(fields[i + 1])
  if at <= second - 60 then redis.call('HDEL', KEYS[1], fields[i])
  else counts[kind][at] = count sums[kind] = sums[kind] + count end
end
local function frees_in(kind, more)
  if more <= 0 then return 0 end
  for at = second - 59, second do
    more = more - (counts[kind][at] or 0)
    if more <= 0 then return math.max(1, (at + 60) * 1000 - now) end
  end
  return -1
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local open = redis.call('ZCARD', KEYS[2])
local verdict, bound, used, retry = 'taken', 0, 0, -1
if most_open > 0 and open >= most_open then
  verdict, bound, used, retry = 'concurrency', most_open, open, 1000
elseif most_requests > 0 and sums.r >= most_requests then
  verdict, bound, used, retry = 'requests', most_requests, sums.r, frees_in('r', sums.r + 1 - most_requests)
elseif most_tokens > 0 and sums.t + asked > most_tokens then
  verdict, bound, used = 'tokens', most_tokens, sums.t
  if asked <= most_tokens then retry = frees_in('t', sums.t + asked - most_tokens) end
else
  sums.r = sums.r + 1
  sums.t = sums.t + asked
  counts.r[second] = (counts.r[second] or 0) + 1
  counts.t[second] = (counts.t[second] or 0) + asked
  if ARGV[7] ~= '1' then
    redis.call('HINCRBY', KEYS[1], 'r' .. second, 1)
    if asked > 0 then redis.call('HINCRBY', KEYS[1], 't' .. second, asked) end
    redis.call('EXPIRE', KEYS[1], 61)
    redis.call('ZADD', KEYS[2], now + tonumber(ARGV[6]), ARGV[1])
    redis.call('PEXPIRE', KEYS[2], tonumber(ARGV[6]))
  end
end
return { verdict, bound, used, retry, second, math.max(0, most_requests - sums.r), frees_in('r', sums.r), math.max(0, most_tokens - sums.t), frees_in('t', sums.t) }
`

/** ARGV: call, second of its start, tokens counted then, final tokens. Idempotent. */
const END_SCRIPT = `
if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 or tonumber(ARGV[3]) == 0 then return 0 end
local field = 't' .. ARGV[2]
local count = redis.call('HGET', KEYS[1], field)
if count then redis.call('HSET', KEYS[1], field, math.max(0, tonumber(count) + tonumber(ARGV[4]) - tonumber(ARGV[3]))) end
return 1
`

/** ARGV: lifetime in ms, calls. Expired places are not renewed. */
const RENEW_SCRIPT = `
local t = redis.call('TIME')
local till = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', till, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[1]))
return 1
`

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
