import { least } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Call } from '../call.ts'
import { firstRoute } from '../choice/choose.ts'
import type { Lease, Refusal } from '../deps.ts'
import { isFreeEnough } from './free-limit.ts'
import { needOf, usualTokens } from './hold.ts'
import type { Need } from './hold.ts'
import { takeQuota } from './limits.ts'
import { endQuota } from '../settlement/settle.ts'
import { askJournal, askOnceCounted, fit, refuseMoney } from './promise.ts'
import { refuse } from '../reply/reply.ts'
import { isFull, refuseFull } from '../queue/queue.ts'

/**
 * Sets aside the most that the vendor can bill for the call as it will be sent, chooses the first route and begins to make the promise durable;
 * the dial does not wait for it, the first byte to the client does (wire.md 0.1). False when refused.
 */
export function admit(call: Call): boolean | Promise<boolean> {
  const { deps } = call
  const model = call.model!
  call.route = firstRoute(call)
  if (call.route === undefined) {
    deps.log.error({ model: model.id, requestId: call.requestId }, 'model has no route')
    refuse(call, { cause: 'unavailable', message: `The model \`${model.id}\` cannot be reached at the moment. Try again shortly.` }, '5')
    return false
  }
  const { gate } = call.route.upstream
  if (gate !== undefined && isFull(gate, call.apiKey!.accountId)) {
    refuseFull(call, gate)
    return false
  }
  if (call.target!.free) return true
  const need = needOf(call)
  if (need.wanted === 0n) {
    // A model that costs nothing: no money to promise, no row to write.
    call.durable = true
    return isFreeEnough(call)
  }
  return call.apiKey!.limits?.counted === true ? admitCounted(call, need) : ask(call, need, need.wanted)
}

/** For a key with limits that are counted elsewhere. */
async function admitCounted(call: Call, need: Need): Promise<boolean> {
  const within = await takeQuota(call, need.wanted, need.least, usualTokens(call, need))
  return within !== undefined && ask(call, need, within)
}

/** Nothing is waited for where a lease in memory covers the call. */
function ask(call: Call, need: Need, wanted: Nano): boolean | Promise<boolean> {
  const lease = askJournal(call, wanted, need.least)
  return lease instanceof Promise || typeof lease === 'string' ? askOn(call, need, wanted, lease) : take(call, need, wanted, lease)
}

async function askOn(call: Call, first: Need, wanted: Nano, asked: Promise<Lease | Refusal> | Refusal): Promise<boolean> {
  let need = first
  let lease = await asked
  if (lease === 'insufficient_balance') ({ need, lease } = (await askOnceCounted(call, need, wanted)) ?? { need, lease })
  if (typeof lease !== 'string') return take(call, need, least(wanted, need.wanted), lease)
  if (call.taken !== undefined) await endQuota(call, 0)
  refuseMoney(call, need, lease)
  return false
}

function take(call: Call, need: Need, wanted: Nano, lease: Lease): true {
  const held = lease.granted ?? wanted
  fit(call, need, held)
  reserve(call, lease, held)
  return true
}

function reserve(call: Call, lease: Lease, held: Nano): void {
  const key = call.apiKey!
  const model = call.model!
  if (key.seen !== undefined) key.seen.model = model.id
  call.reserved = {
    callId: `call_${call.key24}`,
    leaseId: lease.leaseId,
    accountId: key.accountId,
    keyId: key.keyId,
    userId: key.userId,
    model: model.id,
    upstream: call.route!.upstream.id,
    priceVersion: model.prices.version,
    held,
    startedAt: call.startedAt,
    askedModel: model.answersFor,
  }
  call.money = 'promised'
  call.reserving = call.deps.journal.reserve(call.reserved, call.facts!.stream)
}
