import type { GatewayModel, Provenance, ReservedCall, SettledCall, UsageLine } from '../../deps.ts'
import { buildHeldLines } from '../../settlement/held.ts'
import { sumUsageLines, capUsageLines, buildUsageLines, markUnpricedUsage } from '../../settlement/pricing.ts'
import { NO_USAGE, sumCached, sumInput, sumOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { TokenLoad, Protocol } from '../rules.ts'
import type { QuotaTake as Place } from '../../deps/quota.ts'
import type { StakeTake } from './stake.ts'
import type { AuthenticatedHandshake } from '../handshake.ts'

/** Money set aside for one response. */
export interface PromisedResponse {
  readonly taken: StakeTake
  readonly ticket: Place | undefined
  /** Load of the session at that time: its input if the vendor reports no usage. */
  readonly load: TokenLoad
  /** Output tokens covered. */
  covered: number
}

/** A response in progress: its promise, and its output so far. */
export interface RunningResponse extends PromisedResponse {
  readonly id: string
  readonly reserved: ReservedCall
  readonly model: GatewayModel
  readonly startedAt: number
  firstByteAt: number
  /** Estimated output tokens so far, with fractions. */
  audio: number
  text: number
}

export interface ResponseEnding {
  readonly raw: Raw | undefined
  readonly outcome: SettledCall['outcome']
  readonly status: number
  /** The client disconnected and the time limit for reading on passed: the vendor never reported its figure. */
  readonly isLimit?: boolean
}

/** The vendor's own figures for a response; undefined if it reported none or invalid ones. */
export function readVendorUsage(protocol: Protocol, model: GatewayModel, raw: Raw | undefined): Usage | undefined {
  const told = raw === undefined ? undefined : protocol.usageOf(raw)
  return told && markUnpricedUsage(model.prices, told)
}

/** Writes the cost of a response, or gives its money back; resolves when that is durable. Call once per response. */
export async function settleRunning(
  visit: AuthenticatedHandshake,
  protocol: Protocol,
  running: RunningResponse,
  upstreamId: string,
  ending: ResponseEnding,
): Promise<Usage | undefined> {
  const { journal, log } = visit.deps
  const read = readVendorUsage(protocol, running.model, ending.raw)
  if (ending.raw !== undefined && read === undefined) log.error({ raw: ending.raw, requestId: visit.requestId }, 'usage makes no sense: treated as missing')
  const bill = computeBill(visit, running, read, ending)
  // Settling ends the promise's first part; release the others right after it, so that no other call gets them earlier.
  const call = running.reserved
  if (bill === undefined) {
    const released = journal.release(call, ending.outcome, ending.status)
    running.taken.rest()
    await released
    return read
  }
  const { usage, provenance } = bill
  const full = buildUsageLines(running.model.prices, usage, visit.deps.findModel)
  const { held } = running.taken
  const lines = provenance === 'held' ? buildHeldLines(full, held) : provenance === 'estimated' ? capUsageLines(full, held) : full
  const settled = journal.settle(rowOf(visit, protocol, call, { usage, provenance, lines, ending, running, upstreamId }))
  running.taken.rest()
  await settled
  return usage
}

interface Bill {
  readonly usage: Usage
  readonly provenance: Provenance
}

/** As settle.ts bills a call; undefined where nothing was used. */
function computeBill(visit: AuthenticatedHandshake, running: RunningResponse, read: Usage | undefined, ending: ResponseEnding): Bill | undefined {
  const { log, metrics } = visit.deps
  const output = running.audio + running.text
  if (ending.isLimit === true) return { usage: read ?? NO_USAGE, provenance: 'held' }
  const isMissing = read === undefined && output > 0 && ending.outcome === 'completed'
  if (isMissing || read?.unknown !== undefined) {
    const event = isMissing ? 'gateway.usage_missing' : 'gateway.usage_unknown'
    metrics.alarm?.(event)
    log.error({ event, field: read?.unknown, model: running.model.id, requestId: visit.requestId }, 'response without a usage that can be billed')
    return { usage: read ?? NO_USAGE, provenance: 'held' }
  }
  if (read !== undefined) return sumInput(read) + sumOutput(read) === 0 ? undefined : { usage: read, provenance: 'upstream' }
  if (output === 0) return undefined
  log.warn({ model: running.model.id, requestId: visit.requestId }, 'response cut before its usage: estimated')
  const { text, audio, image } = running.load
  return {
    usage: { ...NO_USAGE, input: text, audioInput: audio, imageInput: image, output: Math.ceil(running.text), audioOutput: Math.ceil(running.audio) },
    provenance: 'estimated',
  }
}

interface Row {
  readonly usage: Usage
  readonly provenance: Provenance
  readonly lines: readonly UsageLine[]
  readonly ending: ResponseEnding
  readonly running: RunningResponse
  readonly upstreamId: string
}

function rowOf(visit: AuthenticatedHandshake, protocol: Protocol, call: ReservedCall, row: Row): SettledCall {
  const now = Date.now()
  return {
    ...call,
    dialect: protocol.dialect,
    stream: true,
    status: row.ending.status,
    outcome: row.ending.outcome,
    provenance: row.provenance,
    lines: row.lines,
    amount: sumUsageLines(row.lines),
    inputTokens: sumInput(row.usage),
    cachedTokens: sumCached(row.usage),
    outputTokens: sumOutput(row.usage),
    reasoningTokens: row.usage.reasoning,
    upstreamRequestId: row.upstreamId,
    requestId: visit.requestId,
    firstByteMs: (row.running.firstByteAt || now) - row.running.startedAt,
    totalMs: now - row.running.startedAt,
  }
}
