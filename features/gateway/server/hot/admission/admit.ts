import { minNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { GatewayCall } from '../call.ts'
import { chooseFirstRoute } from '../choice/choose.ts'
import type { Lease, FundsRefusal } from '../deps.ts'
import { isWithinFreeLimit } from './free-limit.ts'
import { computeHoldNeed, estimateUsualTokens } from './hold.ts'
import type { HoldNeed } from './hold.ts'
import { takeQuota } from './limits.ts'
import { endQuota } from '../settlement/settle.ts'
import { requestLease, retryWithCountedText, fitRequestToHold, refuseForFunds } from './promise.ts'
import { sendCallRefusal } from '../reply/reply.ts'
import { isFull, refuseFull } from '../queue/queue.ts'

/**
 * Sets aside the maximum that the vendor can bill for the call as it will be sent, chooses the first route and begins to make the promise
 * durable. The dial does not wait for it; the first byte to the client does (wire.md 0.1). Returns false if refused.
 */
export function admit(call: GatewayCall): boolean | Promise<boolean> {
  const { deps } = call
  const model = call.model!
  call.route = chooseFirstRoute(call)
  if (call.route === undefined) {
    deps.log.error({ model: model.id, requestId: call.requestId }, 'model has no route')
    sendCallRefusal(call, { cause: 'unavailable', message: `The model \`${model.id}\` cannot be reached at the moment. Try again shortly.` }, '5')
    return false
  }
  const { gate } = call.route.upstream
  if (gate !== undefined && isFull(gate, call.apiKey!.accountId)) {
    refuseFull(call, gate)
    return false
  }
  if (call.target!.free) return true
  const need = computeHoldNeed(call)
  if (need.wanted === 0n) {
    // Free model: no money to promise and no row to write.
    call.durable = true
    return isWithinFreeLimit(call)
  }
  return call.apiKey!.limits?.counted === true ? admitCounted(call, need) : admitWithLease(call, need, need.wanted)
}

/** Admits a call of a key whose limits are counted across processes. */
async function admitCounted(call: GatewayCall, need: HoldNeed): Promise<boolean> {
  const within = await takeQuota(call, need.wanted, need.least, estimateUsualTokens(call, need))
  return within !== undefined && admitWithLease(call, need, within)
}

/** Admits a call against a lease; synchronous if a lease in memory covers it. */
function admitWithLease(call: GatewayCall, need: HoldNeed, wanted: Nano): boolean | Promise<boolean> {
  const lease = requestLease(call, wanted, need.least)
  return lease instanceof Promise || typeof lease === 'string' ? awaitLease(call, need, wanted, lease) : acceptLease(call, need, wanted, lease)
}

async function awaitLease(call: GatewayCall, first: HoldNeed, wanted: Nano, asked: Promise<Lease | FundsRefusal> | FundsRefusal): Promise<boolean> {
  let need = first
  let lease = await asked
  if (lease === 'insufficient_balance') ({ need, lease } = (await retryWithCountedText(call, need, wanted)) ?? { need, lease })
  if (typeof lease !== 'string') return acceptLease(call, need, minNano(wanted, need.wanted), lease)
  if (call.taken !== undefined) await endQuota(call, 0)
  refuseForFunds(call, need, lease)
  return false
}

function acceptLease(call: GatewayCall, need: HoldNeed, wanted: Nano, lease: Lease): true {
  const held = lease.granted ?? wanted
  fitRequestToHold(call, need, held)
  reserve(call, lease, held)
  return true
}

function reserve(call: GatewayCall, lease: Lease, held: Nano): void {
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
