/**
 * One script per operation, by the server's clock. Two Redis keys per API key: a hash of its last seconds (`r<second>` requests,
 * `t<second>` tokens), and a sorted set of its calls under way by the time at which their places expire unless renewed. The minute is the
 * same as in PostgreSQL (`gateway_take`): the current second and the 59 before it.
 */

/**
 * ARGV: call, requests a minute, tokens a minute, concurrent calls (0: none), tokens of the call, lifetime of a place in ms, 1 for a dry
 * run.
 */
export const TAKE_SCRIPT = `
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
export const END_SCRIPT = `
if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 or tonumber(ARGV[3]) == 0 then return 0 end
local field = 't' .. ARGV[2]
local count = redis.call('HGET', KEYS[1], field)
if count then redis.call('HSET', KEYS[1], field, math.max(0, tonumber(count) + tonumber(ARGV[4]) - tonumber(ARGV[3]))) end
return 1
`

/** ARGV: lifetime in ms, calls. Expired places are not renewed. */
export const RENEW_SCRIPT = `
local t = redis.call('TIME')
local till = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', till, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[1]))
return 1
`
