import { maybeDone } from './call.ts'
import type { Call } from './call.ts'
import type { Provenance, SettledCall } from './deps.ts'
import { estimateBytes, tallied } from './estimate.ts'
import { endQuota } from './limits.ts'
import { mediaBill } from './media/bill.ts'
import { amountOf, cappedLines, linesFor } from './pricing.ts'
import { asSold, unknownStep } from './sold.ts'
import { forget, tallyUp } from './tally.ts'
import { NO_USAGE, totalCached, totalInput, totalOutput } from './usage.ts'
import type { Raw, Usage } from './usage.ts'

/** How the upstream's side ended. gone: we left it because the client had left. */
export type Ending = 'complete' | 'failed' | 'cut' | 'gone'

interface Bill {
  readonly usage: Usage
  readonly provenance: Provenance
}

/**
 * Turns the hold into a charge, or gives it back, and resolves when that is durable. Written once, whatever becomes of
 * the client. `raw` is the vendor's usage object; `answer` a whole answer's bytes.
 */
export function settle(call: Call, ending: Ending, raw: Raw | undefined, answer: Buffer | undefined): Promise<void> {
  if (call.money === 'none') return Promise.resolve()
  if (call.money !== 'promised') return Promise.reject(new Error('settled twice'))
  call.money = 'settling'
  const bill = billFor(call, ending, raw, answer)
  const outcome = call.gone ? 'client_gone' : ending === 'complete' ? 'completed' : ending === 'cut' ? 'upstream_cut' : 'upstream_failed'
  const status = call.gone ? 499 : call.status
  const { journal } = call.deps
  const record = bill === undefined ? undefined : recordOf(call, bill, outcome, status)
  const book = (): Promise<void> => (record === undefined ? journal.release(call.reserved!, outcome, status) : journal.settle(record))
  const write = call.taken === undefined ? book : () => book().then(() => endQuota(call, record === undefined ? 0 : record.inputTokens + record.outputTokens))
  forget(call)
  return (call.durable || journal.isWaiting(call.reserved!.callId) ? write() : afterPromise(call, write)).then(
    () => moneyDone(call),
    (error: unknown) => {
      // The journal retries by itself; when it gave up, the sweeper resolves the call.
      moneyDone(call)
      throw error
    },
  )
}

/** The answer was faster than the promise that is being written: first the promise, and if that fails, nothing. */
async function afterPromise(call: Call, write: () => Promise<void>): Promise<void> {
  try {
    await call.reserving
  } catch (error) {
    giveBack(call)
    throw error
  }
  await write()
}

/** The promise itself failed: nothing was written, nothing may be charged. */
export function abandon(call: Call): void {
  if (call.money !== 'promised') return
  call.money = 'settling'
  giveBack(call)
}

function giveBack(call: Call): void {
  call.deps.journal.release(call.reserved!, 'upstream_failed', 503).then(
    () => {
      if (call.taken !== undefined) void endQuota(call, 0)
      moneyDone(call)
    },
    (error: unknown) => {
      call.deps.log.error({ error, callId: call.reserved!.callId }, 'release failed; the sweeper will resolve the call')
      moneyDone(call)
    },
  )
}

function moneyDone(call: Call): void {
  call.money = 'done'
  maybeDone(call)
}

function billFor(call: Call, ending: Ending, raw: Raw | undefined, answer: Buffer | undefined): Bill | undefined {
  const usage = readUsage(call, raw)
  const isFinal = answer !== undefined || call.meter.final
  const { media } = call.rules!
  if (media !== undefined) return mediaBill(call, media, ending === 'complete', isFinal ? usage : undefined, answer)
  if (usage !== undefined && isFinal) return { usage, provenance: 'upstream' }
  if (ending !== 'gone' || call.sent || call.drainUntil > 0) tallyUp(call)
  const output = answer === undefined ? tallied(call.tally) : estimateBytes(answer)
  // A failure that gave no output costs nothing (new-api#4168).
  if ((ending === 'failed' || ending === 'cut') && output === 0) return undefined
  if (ending === 'gone' && usage === undefined && output === 0 && call.drainUntil === 0) return undefined
  if (ending === 'complete') call.deps.log.warn({ model: call.model!.id, requestId: call.requestId }, 'answer without usage: estimated')
  const hasOutput = call.model!.kind === 'chat'
  if (usage === undefined) {
    const input = call.inputEstimate || estimateBytes(call.body)
    return { usage: { ...NO_USAGE, input, output: hasOutput ? output : 0 }, provenance: 'estimated' }
  }
  if (output <= totalOutput(usage)) return { usage, provenance: 'upstream_partial' }
  return { usage: { ...usage, output: output - usage.reasoning - usage.audioOutput }, provenance: 'estimated' }
}

/** Undefined when there is none or it makes no sense: a negative or absurd figure counts as missing. */
function readUsage(call: Call, raw: Raw | undefined): Usage | undefined {
  if (raw === undefined) return undefined
  const read = call.rules!.usageOf(raw, { beside: call.meter.beside, asks: call.facts!.asks, seconds: Math.ceil((Date.now() - call.startedAt) / 1_000) })
  const usage = read && asSold(call, read)
  if (usage === undefined) call.deps.log.error({ raw, requestId: call.requestId }, 'usage makes no sense: treated as missing')
  else if (usage.mismatch) call.deps.log.warn({ raw, requestId: call.requestId }, 'usage total differs from its parts')
  return usage
}

function recordOf(call: Call, bill: Bill, outcome: SettledCall['outcome'], status: number): SettledCall {
  const { usage, provenance } = bill
  const reserved = call.reserved!
  const full = linesFor(call.model!.prices, usage, call.deps.findModel, usage.extra.length === 0 ? undefined : unknownStep(call))
  const lines = provenance === 'estimated' ? cappedLines(full, reserved.held) : full
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
    amount: amountOf(lines),
    inputTokens: totalInput(usage) + stepTokens(usage, totalInput),
    cachedTokens: totalCached(usage) + stepTokens(usage, totalCached),
    outputTokens: totalOutput(usage) + stepTokens(usage, totalOutput),
    reasoningTokens: usage.reasoning + stepTokens(usage, (step) => step.reasoning),
    upstreamRequestId: call.upstreamRequestId,
    requestId: call.requestId,
    firstByteMs: (call.firstByteAt || now) - call.startedAt,
    totalMs: now - call.startedAt,
  }
}

function stepTokens(usage: Usage, of: (step: Usage) => number): number {
  let tokens = 0
  for (const step of usage.extra) tokens += of(step.usage)
  return tokens
}
