import { formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { isFullyObservable } from './fully-observable.ts'
import { getEndStatus, reportIfDone } from '../call.ts'
import type { GatewayCall } from '../call.ts'
import type { Provenance, SettledCall, UsageLine } from '../deps.ts'
import { estimateInput, getTalliedTokens } from '../usage/estimate.ts'
import { buildHeldLines } from './held.ts'
import { collectMadeIds } from '../kept/made-ids.ts'
import { computeMediaBill } from '../media/bill.ts'
import { sumUsageLines, capUsageLines, buildUsageLines } from './pricing.ts'
import { markUnsoldUsage, resolveEstimateFactors, getUnknownStepPrices } from './sold.ts'
import { releaseBlocks, tallyRelayed } from './tally.ts'
import { recordEstimate } from './trust.ts'
import { NO_USAGE, sumCached, sumInput, sumOutput } from '../usage/usage.ts'
import type { Raw, Usage } from '../usage/usage.ts'

/**
 * How the upstream's side ended. gone: aborted after the client disconnected, with everything seen. limit: we stopped waiting for a
 * possible bill, after a disconnect or our own timeout (owed.ts). undialled: no upstream was called.
 */
export type CallEnding = 'complete' | 'failed' | 'cut' | 'gone' | 'limit' | 'undialled'

interface Bill {
  readonly usage: Usage
  readonly provenance: Provenance
}

/**
 * Turns the hold into a charge, or gives it back, and resolves when that is durable. Written once, regardless of what happens to the
 * client. `raw` is the vendor's usage object; `answer` a complete answer's bytes.
 */
export function settle(call: GatewayCall, ending: CallEnding, raw: Raw | undefined, answer: Buffer | undefined): Promise<void> {
  if (call.money === 'none') return Promise.resolve()
  if (call.money !== 'promised') return Promise.reject(new Error('settled twice'))
  call.money = 'settling'
  const bill = computeBill(call, ending, raw, answer)
  if (call.readOn === 'check' && bill?.provenance === 'upstream') compareEstimate(call, bill.usage)
  const outcome = toOutcome(call, ending)
  const status = getEndStatus(call)
  const { journal } = call.deps
  const record = bill === undefined ? undefined : buildRecord(call, bill, outcome, status, collectMadeIds(call, answer ?? call.meter.told))
  const book = (): Promise<void> =>
    record === undefined
      ? journal.release(call.failed === undefined ? call.reserved! : { ...call.reserved!, failed: call.failed }, outcome, status)
      : journal.settle(record)
  const write = call.taken === undefined ? book : () => book().then(() => endQuota(call, record === undefined ? 0 : record.inputTokens + record.outputTokens))
  releaseBlocks(call)
  return (call.durable || journal.isWaiting(call.reserved!.callId) ? write() : writeAfterReserve(call, write)).then(
    () => markMoneyDone(call),
    (error: unknown) => {
      // The journal retries by itself; after it gives up, the sweeper resolves the call.
      markMoneyDone(call)
      throw error
    },
  )
}

function toOutcome(call: GatewayCall, ending: CallEnding): SettledCall['outcome'] {
  if (call.unanswered) return 'upstream_cut'
  if (call.gone) return 'client_gone'
  if (ending === 'complete') return 'completed'
  return ending === 'cut' || ending === 'limit' ? 'upstream_cut' : 'upstream_failed'
}

/** The answer arrived before the promise was durable: wait for the promise, and charge nothing if it fails. */
async function writeAfterReserve(call: GatewayCall, write: () => Promise<void>): Promise<void> {
  try {
    await call.reserving
  } catch (error) {
    releaseReserved(call)
    throw error
  }
  await write()
}

/** The promise itself failed: no row was written, so nothing may be charged. */
export function abandonCall(call: GatewayCall): void {
  if (call.money !== 'promised') return
  call.money = 'settling'
  releaseReserved(call)
}

function releaseReserved(call: GatewayCall): void {
  call.deps.journal.release(call.reserved!, 'upstream_failed', 503).then(
    () => {
      if (call.taken !== undefined) void endQuota(call, 0)
      markMoneyDone(call)
    },
    (error: unknown) => {
      call.deps.log.error({ error, callId: call.reserved!.callId }, 'release failed; the sweeper will resolve the call')
      markMoneyDone(call)
    },
  )
}

/** Gives back the call's place within its key's limits, once; does nothing for calls that have none. */
export function endQuota(call: GatewayCall, tokens: number): Promise<void> {
  const { taken } = call
  call.taken = undefined
  return taken === undefined ? Promise.resolve() : call.deps.quota!.end(taken, tokens)
}

function markMoneyDone(call: GatewayCall): void {
  call.money = 'done'
  reportIfDone(call)
}

function computeBill(call: GatewayCall, ending: CallEnding, raw: Raw | undefined, answer: Buffer | undefined): Bill | undefined {
  if (ending === 'undialled') return undefined
  const usage = readUsage(call, raw)
  if (ending === 'limit') return { usage: usage ?? NO_USAGE, provenance: 'held' }
  const isFinal = answer !== undefined || call.meter.final
  // A client that stops reading makes the vendor wait until it gives up: treat it as a disconnect.
  const isHeldUp = ending === 'cut' && (call.blockedSince > 0 || Date.now() < call.blockedUntil)
  if (isHeldUp && !(usage !== undefined && isFinal) && !isFullyObservable(call)) return { usage: usage ?? NO_USAGE, provenance: 'held' }
  const { media } = call.rules!
  if (media !== undefined) return checkBill(call, computeMediaBill(call, media, ending === 'complete', isFinal ? usage : undefined, answer))
  if (usage !== undefined && isFinal) return checkBill(call, { usage, provenance: 'upstream' })
  if (ending === 'complete') return billWithoutUsage(call, usage)
  tallyRelayed(call)
  const output = getTalliedTokens(call.tally)
  // A failure without output costs nothing (new-api#4168).
  if (ending !== 'gone' && output === 0) return undefined
  if (usage !== undefined && output <= sumOutput(usage)) return { usage, provenance: 'upstream_partial' }
  return { usage: estimateUsage(call, usage), provenance: 'estimated' }
}

/** A complete answer without a usable figure costs the held amount, because the vendor may bill it, and raises an alarm. */
function billWithoutUsage(call: GatewayCall, usage: Usage | undefined): Bill {
  // The usage of a text embedding is known from the request; Google's older models report no figure.
  if (call.rules!.id === 'gemini-embed') return { usage: estimateUsage(call, undefined), provenance: 'estimated' }
  call.deps.metrics.alarm?.('gateway.usage_missing')
  const { log } = call.deps
  log.error({ event: 'gateway.usage_missing', model: call.model!.id, upstream: call.route!.upstream.id, requestId: call.requestId }, 'answer without usage')
  return { usage: usage ?? NO_USAGE, provenance: 'held' }
}

/** A usage with an unknown member may hide billed items: it costs the held amount. */
function checkBill(call: GatewayCall, bill: Bill | undefined): Bill | undefined {
  const field = bill?.usage.unknown
  if (bill === undefined || field === undefined) return bill
  call.deps.metrics.alarm?.('gateway.usage_unknown')
  const { log } = call.deps
  log.error({ event: 'gateway.usage_unknown', field, model: call.model!.id, upstream: call.route!.upstream.id, requestId: call.requestId }, 'unknown usage')
  return { usage: bill.usage, provenance: 'held' }
}

/** Usage relayed so far, combined with partial figures of the vendor: Anthropic sends the input first. */
function estimateUsage(call: GatewayCall, told: Usage | undefined): Usage {
  tallyRelayed(call)
  const output = call.model!.kind === 'chat' ? getTalliedTokens(call.tally) : 0
  const factors = resolveEstimateFactors(call, told)
  if (told === undefined) return { ...NO_USAGE, input: estimateInput(call), output, factors }
  return { ...told, output: Math.max(told.output, output - told.reasoning - told.audioOutput), factors }
}

/** Charge if the call were aborted now. */
export function estimateCharge(call: GatewayCall): { readonly lines: readonly UsageLine[]; readonly amount: Nano } {
  const raw = call.rules!.stream?.rawUsage(call.meter)
  const lines = buildUsageLines(call.model!.prices, estimateUsage(call, raw === undefined ? undefined : parseUsage(call, raw)), call.deps.findModel)
  return { lines, amount: sumUsageLines(lines) }
}

/**
 * Records the comparison for a call that was read to its end to check whether estimates fit this account: our count and the vendor's figure
 * for the same answer.
 */
function compareEstimate(call: GatewayCall, billed: Usage): void {
  const { accountId } = call.apiKey!
  const output = Math.ceil(call.tally.tokens)
  // Anthropic reports the input before the first output.
  const input = call.rules!.surface === 'anthropic' ? billed : { ...NO_USAGE, input: estimateInput(call) }
  const estimated = sumUsageLines(buildUsageLines(call.model!.prices, { ...input, output, reasoning: 0 }, call.deps.findModel))
  const amount = sumUsageLines(buildUsageLines(call.model!.prices, billed, call.deps.findModel))
  if (recordEstimate(call.trust, accountId, estimated, amount) === 'held') return
  call.deps.log.warn(
    { accountId: accountId.toString(), requestId: call.requestId, estimated: formatUsd(estimated), billed: formatUsd(amount) },
    'estimates fall short',
  )
  call.deps.noteShort?.({ accountId, callId: call.reserved!.callId, estimated, billed: amount })
}

const parseUsage = (call: GatewayCall, raw: Raw): Usage | undefined =>
  call.rules!.usageOf(raw, { beside: call.meter.beside, asks: call.facts!.asks, seconds: Math.ceil((Date.now() - call.startedAt) / 1_000) })

/** Undefined if there is no figure or it is invalid: a negative or absurd figure counts as missing. */
function readUsage(call: GatewayCall, raw: Raw | undefined): Usage | undefined {
  if (raw === undefined) return undefined
  const read = parseUsage(call, raw)
  const usage = read && markUnsoldUsage(call, read)
  if (usage === undefined) call.deps.log.error({ raw, requestId: call.requestId }, 'usage makes no sense: treated as missing')
  else if (usage.mismatch) call.deps.log.warn({ raw, requestId: call.requestId }, 'usage total differs from its parts')
  return usage
}

function buildRecord(call: GatewayCall, bill: Bill, outcome: SettledCall['outcome'], status: number, made: SettledCall['madeIds']): SettledCall {
  const { usage, provenance } = bill
  const reserved = call.reserved!
  const full = buildUsageLines(call.model!.prices, usage, call.deps.findModel, usage.extra.length === 0 ? undefined : getUnknownStepPrices(call))
  const lines = provenance === 'estimated' ? capUsageLines(full, reserved.held) : provenance === 'held' ? buildHeldLines(full, reserved.held) : full
  const now = Date.now()
  return {
    callId: reserved.callId,
    leaseId: reserved.leaseId,
    accountId: reserved.accountId,
    keyId: reserved.keyId,
    userId: reserved.userId,
    model: reserved.model,
    upstream: call.route!.upstream.id,
    priceVersion: reserved.priceVersion,
    held: reserved.held,
    startedAt: reserved.startedAt,
    askedModel: reserved.askedModel,
    dialect: call.translation?.from ?? call.rules!.id,
    stream: call.facts!.stream,
    status,
    outcome,
    provenance,
    lines,
    amount: sumUsageLines(lines),
    inputTokens: sumInput(usage) + sumStepTokens(usage, sumInput),
    cachedTokens: sumCached(usage) + sumStepTokens(usage, sumCached),
    outputTokens: sumOutput(usage) + sumStepTokens(usage, sumOutput),
    reasoningTokens: usage.reasoning + sumStepTokens(usage, (step) => step.reasoning),
    upstreamRequestId: call.upstreamRequestId,
    requestId: call.requestId,
    firstByteMs: (call.firstByteAt || now) - call.startedAt,
    totalMs: now - call.startedAt,
    madeIds: made,
    failed: call.failed,
  }
}

function sumStepTokens(usage: Usage, of: (step: Usage) => number): number {
  let tokens = 0
  for (const step of usage.extra) tokens += of(step.usage)
  return tokens
}
