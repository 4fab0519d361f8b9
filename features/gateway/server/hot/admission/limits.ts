import { maxNano, subtractNano, computePartShare, formatUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { resolveClientAddress, isInBlockList } from '../http/address.ts'
import type { GatewayCall } from '../call.ts'
import type { ClientRequest } from '../client.ts'
import type { ApiKey, HotDeps, KeyLimits, GatewayModel, QuotaRefusal } from '../deps.ts'
import type { ApiErrorCause, RequestRefusal } from '../errors.ts'
import { sendCallRefusal } from '../reply/reply.ts'

/**
 * Limits set by a key's owner. Only calls of keys with limits get here. Fixed limits are checked from memory; counted ones by
 * `deps.quota` in one round trip, batched with calls of the same moment.
 */

/** Console URL to change the limit that refused the call. */
export const formatKeyUrl = (deps: HotDeps, keyId: string): string => `${deps.brand.consoleUrl()}?key=${keyId}`

/** Checks expiry and network; returns false if refused. */
export function checkKeyAccess(call: GatewayCall, limits: KeyLimits): boolean {
  const refused = findAccessRefusal(call.req, call.deps, call.apiKey!.keyId, limits)
  if (refused !== undefined) sendCallRefusal(call, refused)
  return refused === undefined
}

export function findAccessRefusal(req: Pick<ClientRequest, 'headers' | 'socket'>, deps: HotDeps, keyId: string, limits: KeyLimits): RequestRefusal | undefined {
  const place = formatKeyUrl(deps, keyId)
  if (limits.callsFrozen === true)
    return { cause: 'calls_frozen', message: `API calls of this account are frozen. Your balance is untouched. Contact support at ${deps.brand.support}.` }
  if (limits.paused === true)
    return { cause: 'key_paused', message: `This API key was paused by our operators; other keys work. Contact support at ${deps.brand.support}.` }
  if (limits.disabled === true) return { cause: 'key_disabled', message: `This API key is disabled. Enable it at ${place}.` }
  if (limits.replacedAt !== undefined && Date.now() >= limits.replacedAt) {
    const when = new Date(limits.replacedAt).toISOString()
    return { cause: 'key_expired', message: `This API key was rotated and stopped working at ${when}. Use the new key, or rotate again at ${place}.` }
  }
  if (limits.expiresAt !== undefined && Date.now() >= limits.expiresAt) {
    const when = new Date(limits.expiresAt).toISOString()
    return { cause: 'key_expired', message: `This API key expired at ${when}. Set a later time or create another key at ${place}.` }
  }
  if (limits.networks === undefined) return undefined
  const address = resolveClientAddress(req, deps.proxies)
  if (isInBlockList(limits.networks, address)) return undefined
  return {
    cause: 'wrong_network',
    message: `This API key may not be used from ${address === '' ? 'an unknown address' : address}. Its allowed networks are set at ${place}.`,
  }
}

/** True if an open connection may make no further calls: its key expired or was stopped, or its account's calls are frozen. */
export const isStopped = (key: ApiKey | undefined, now: number): boolean => key === undefined || isOff(key.limits) || endOf(key.limits) <= now
const endOf = (limits: KeyLimits | undefined): number => Math.min(limits?.expiresAt ?? Infinity, limits?.replacedAt ?? Infinity)
const isOff = (limits: KeyLimits | undefined): boolean => limits?.disabled === true || limits?.paused === true || limits?.callsFrozen === true

/** True if one of the patterns matches the model: an id, `vendor/*`, or an id prefix followed by `*`. */
export function isModelAllowed(patterns: readonly string[], model: Pick<GatewayModel, 'id' | 'vendor'>): boolean {
  for (const pattern of patterns) {
    if (pattern === model.id) return true
    if (!pattern.endsWith('*')) continue
    const start = pattern.slice(0, -1)
    if (model.id.startsWith(start) || `${model.vendor}/${model.id}`.startsWith(start)) return true
  }
  return false
}

/** Returns false if the key may not use this model. */
export function checkModelAllowed(call: GatewayCall, limits: KeyLimits, model: GatewayModel): boolean {
  const refused = findModelRefusal(limits, model, formatKeyUrl(call.deps, call.apiKey!.keyId))
  if (refused !== undefined) sendCallRefusal(call, refused)
  return refused === undefined
}

export function findModelRefusal(limits: KeyLimits, model: GatewayModel, place: string): RequestRefusal | undefined {
  if (limits.models === undefined || isModelAllowed(limits.models, model)) return undefined
  return { cause: 'model_not_allowed', field: 'model', message: `This API key may not use the model \`${model.id}\`. Its allowed models are set at ${place}.` }
}

/**
 * Counts the call and returns the part of `held` that its budgets allow, at least `least`; undefined if it does not fit. The client
 * may disconnect meanwhile: the call proceeds and ends like any other.
 */
export async function takeQuota(call: GatewayCall, held: bigint, least: bigint, tokens: number): Promise<bigint | undefined> {
  const { quota, log } = call.deps
  try {
    if (quota === undefined) throw new Error('no quota is configured')
    const take = async (amount: bigint, floor?: bigint) => {
      const answer = await quota.take({ callId: `call_${call.key24}`, key: call.apiKey!, held: amount, least: floor, tokens, startedAt: call.startedAt })
      call.standing = answer.standing
      call.taken = answer.taken
      return answer.refusal
    }
    const refusal = await take(held, least)
    if (refusal === undefined) return held
    const part = computeBudgetPart(refusal, held, least)
    const again = part === undefined ? refusal : await take(part)
    if (again === undefined) return part
    refuseByQuota(call, again, part ?? least, tokens)
  } catch (error) {
    log.error({ error, requestId: call.requestId }, 'limits could not be counted')
    sendCallRefusal(call, { cause: 'unavailable', message: "This key's limits cannot be checked at the moment. Try again shortly; nothing was charged." }, '1')
  }
  return undefined
}

/** A call that accepts less takes a quarter of a budget's remainder, so that concurrent calls also get a share. */
export function computeBudgetPart({ by, limit, used }: QuotaRefusal, held: bigint, least: bigint): bigint | undefined {
  if ((by !== 'day' && by !== 'month') || least >= held) return undefined
  const left = subtractNano(limit, used)
  return left < least ? undefined : maxNano(computePartShare(left, 1n, 4n), least)
}

/** Checks, without reserving anything, whether the key's counted limits leave room for any call; returns false if refused. */
export async function checkQuota(call: GatewayCall): Promise<boolean> {
  const { quota } = call.deps
  if (quota === undefined) return true
  try {
    const { refusal, standing } = await quota.ask({ callId: `look_${call.key24}`, key: call.apiKey!, held: 0n, tokens: 0, startedAt: call.startedAt })
    if (refusal === undefined) return true
    call.standing = standing
    refuseByQuota(call, refusal, 0n, 0)
    return false
  } catch {
    // The call itself checks again and reports the reason.
    return true
  }
}

const dollars = (nano: bigint): string => `$${showUsd(formatUsd(nano), 4)}`

function refuseByQuota(call: GatewayCall, refusal: QuotaRefusal, held: bigint, tokens: number): void {
  const { retryMs } = refusal
  sendCallRefusal(
    call,
    buildQuotaRefusal(refusal, held, tokens, formatKeyUrl(call.deps, call.apiKey!.keyId)),
    retryMs === undefined ? undefined : String(Math.ceil(retryMs / 1_000)),
  )
}

export function buildQuotaRefusal(refusal: QuotaRefusal, held: bigint, tokens: number, place: string): RequestRefusal {
  const { limit, used, retryMs } = refusal
  const seconds = retryMs === undefined ? undefined : Math.ceil(retryMs / 1_000)
  const again = seconds === undefined ? '' : ` Please try again in ${seconds}s.`
  const at = ` Limits are set at ${place}.`
  const refuseAs = (cause: ApiErrorCause, message: string): RequestRefusal => ({ cause, message, retryMs })
  switch (refusal.by) {
    case 'requests':
      return refuseAs('too_many_requests', `Rate limit reached for this API key on requests per minute: limit ${limit}, used ${used}.${again}${at}`)
    case 'tokens':
      if (retryMs === undefined)
        return refuseAs(
          'larger_than_minute',
          `This request may come to ${tokens} tokens, more than the ${limit} tokens per minute of this API key. Ask for fewer output tokens, or raise the limit at ${place}.`,
        )
      return refuseAs(
        'too_many_tokens',
        `Rate limit reached for this API key on tokens per minute: limit ${limit}, used ${used}, requested ${tokens}.${again}${at}`,
      )
    case 'concurrency':
      return refuseAs('too_many_at_once', `This API key has ${used} requests under way; its limit is ${limit} at once.${again}${at}`)
    case 'day':
    case 'month': {
      const [name, next] = refusal.by === 'day' ? ['day', 'at midnight'] : ['month', 'with the new month']
      return refuseAs(
        refusal.by === 'day' ? 'day_budget' : 'month_budget',
        `This API key's budget of ${dollars(limit)} a ${name} does not cover this request: ${dollars(used)} is used or reserved, and it may cost ${dollars(held)}. ` +
          `Raise the budget at ${place}, or wait until it starts afresh ${next} (UTC+8).`,
      )
    }
  }
}
