import type { Call } from './call.ts'
import { firstRoute } from './choose.ts'
import type { Lease, Refusal } from './deps.ts'
import { isFreeEnough } from './free-limit.ts'
import { endQuota, takeQuota } from './limits.ts'
import { amountOf, linesFor, worstCost } from './pricing.ts'
import { refuse } from './reply.ts'
import { isFull, refuseFull } from './routes/queue.ts'
import { stepPrices } from './sold.ts'
import { totalInput, totalOutput } from './usage.ts'
import type { Usage } from './usage.ts'

/** Input assumed for what the body only names, where the model's context window is not known. */
const HIDDEN_INPUT_TOKENS = 200_000

/**
 * Sets money aside, chooses the first route and begins to make the promise durable; the dial does not wait for it, the
 * first byte to the client does (wire.md, "Rules of ours" 1). False when refused.
 */
export async function admit(call: Call): Promise<boolean> {
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
  const held = holdOf(call)
  if (held === 0n) {
    // A model that costs nothing: no money to promise, no row to write.
    call.durable = true
    return isFreeEnough(call)
  }
  if (call.apiKey!.limits?.counted === true && !(await takeQuota(call, held, tokensOf(call)))) return false
  let lease: Lease | Refusal
  try {
    const admitted = deps.journal.admit(call.apiKey!, held)
    lease = admitted instanceof Promise ? await admitted : admitted
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'admission failed')
    lease = 'unavailable'
  }
  if (typeof lease === 'string' && call.taken !== undefined) await endQuota(call, 0)
  if (lease === 'insufficient_balance') {
    refuse(call, { cause: 'no_money', message: `Your credit balance is too low for this request. Add credit at ${deps.brand.consoleUrl()} and send it again.` })
    return false
  }
  if (lease === 'unavailable') {
    refuse(call, { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }, '1')
    return false
  }
  const key = call.apiKey!
  call.reserved = {
    callId: `call_${call.key24}`,
    leaseId: lease.leaseId,
    accountId: key.accountId,
    keyId: key.keyId,
    userId: key.userId,
    model: model.id,
    upstream: call.route.upstream.id,
    priceVersion: model.prices.version,
    held,
    startedAt: call.startedAt,
    askedModel: model.answersFor,
  }
  call.money = 'promised'
  call.reserving = deps.journal.reserve(call.reserved, call.facts!.stream)
  return true
}

/** What is set aside for a call whose request has been read. */
export function holdOf(call: Call): bigint {
  const model = call.model!
  const most = mostOf(call)
  if (most !== undefined) return amountOf(linesFor(model.prices, most, call.deps.findModel))
  return worstCost(model.prices, { input: inputBound(call), output: outputBound(call) }, call.facts!.asks, stepPrices(call.deps, model))
}

/** The most tokens that the call can come to. */
export function tokensOf(call: Call): number {
  const most = mostOf(call)
  return most === undefined ? inputBound(call) + outputBound(call) : totalInput(most) + totalOutput(most)
}

/** The most that a call with pictures or sound can use; undefined for text. */
export function mostOf(call: Call): Usage | undefined {
  return call.rules!.media?.most(call.facts!.media!, call.model!)
}

/** The most input tokens there can be. */
export function inputBound(call: Call): number {
  const model = call.model!
  // A token is three bytes at least, but an embeddings body may hold token numbers: two bytes each.
  const fromBytes = Math.ceil(call.body.length / (model.kind === 'embedding' ? 2 : 3))
  const window = model.contextTokens
  return call.facts!.hasHiddenInput ? (window ?? fromBytes + HIDDEN_INPUT_TOKENS) : Math.min(fromBytes, window ?? fromBytes)
}

/** Output tokens that the request allows, or what is assumed where it says nothing. */
export function outputBound(call: Call): number {
  const model = call.model!
  const facts = call.facts!
  const { defaultOutputTokens } = call.deps.limits
  if (model.kind === 'embedding') return 0
  const most = model.maxOutputTokens
  const cap = facts.outputCap === undefined ? Math.min(most ?? defaultOutputTokens, defaultOutputTokens) : Math.min(facts.outputCap, most ?? facts.outputCap)
  return cap * facts.copies
}
