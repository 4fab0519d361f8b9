import type { Model, Provenance, ReservedCall, SettledCall, UsageLine } from '../../deps.ts'
import { heldLines } from '../../settlement/held.ts'
import { amountOf, cappedLines, linesFor, pricedUsage } from '../../settlement/pricing.ts'
import { NO_USAGE, totalCached, totalInput, totalOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { Load, Protocol } from '../rules.ts'
import type { Taken as Place } from '../../deps/quota.ts'
import type { Taken } from './stake.ts'
import type { Visit } from '../visit.ts'

/** Money set aside for one response. */
export interface Promised {
  readonly taken: Taken
  readonly ticket: Place | undefined
  /** Load of the session at that time: its input if the vendor reports no usage. */
  readonly load: Load
  /** Output tokens covered. */
  covered: number
}

/** A response in progress: its promise, and its output so far. */
export interface Running extends Promised {
  readonly id: string
  readonly reserved: ReservedCall
  readonly model: Model
  readonly startedAt: number
  firstByteAt: number
  /** Tokens of output so far, estimated, with their fractions. */
  audio: number
  text: number
}

export interface Ending {
  readonly raw: Raw | undefined
  readonly outcome: SettledCall['outcome']
  readonly status: number
  /** The client left, and reading on came to its limit: the vendor never said what it was. */
  readonly isLimit?: boolean
}

/** The vendor's own figures for a response; undefined where it gave none that make sense. */
export function usageTold(protocol: Protocol, model: Model, raw: Raw | undefined): Usage | undefined {
  const told = raw === undefined ? undefined : protocol.usageOf(raw)
  return told && pricedUsage(model.prices, told)
}

/** Writes what a response came to, or gives its money back; resolves when that is durable. Once a response. */
export async function settleRunning(visit: Visit, protocol: Protocol, running: Running, upstreamId: string, ending: Ending): Promise<Usage | undefined> {
  const { journal, log } = visit.deps
  const read = usageTold(protocol, running.model, ending.raw)
  if (ending.raw !== undefined && read === undefined) log.error({ raw: ending.raw, requestId: visit.requestId }, 'usage makes no sense: treated as missing')
  const bill = billOf(visit, running, read, ending)
  // Settling ends the promise's first part; release the others right after it, so that no other call is promised them earlier.
  const call = running.reserved
  if (bill === undefined) {
    const released = journal.release(call, ending.outcome, ending.status)
    running.taken.rest()
    await released
    return read
  }
  const { usage, provenance } = bill
  const full = linesFor(running.model.prices, usage, visit.deps.findModel)
  const { held } = running.taken
  const lines = provenance === 'held' ? heldLines(full, held) : provenance === 'estimated' ? cappedLines(full, held) : full
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
function billOf(visit: Visit, running: Running, read: Usage | undefined, ending: Ending): Bill | undefined {
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
  if (read !== undefined) return totalInput(read) + totalOutput(read) === 0 ? undefined : { usage: read, provenance: 'upstream' }
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
  readonly ending: Ending
  readonly running: Running
  readonly upstreamId: string
}

function rowOf(visit: Visit, protocol: Protocol, call: ReservedCall, row: Row): SettledCall {
  const now = Date.now()
  return {
    ...call,
    dialect: protocol.dialect,
    stream: true,
    status: row.ending.status,
    outcome: row.ending.outcome,
    provenance: row.provenance,
    lines: row.lines,
    amount: amountOf(row.lines),
    inputTokens: totalInput(row.usage),
    cachedTokens: totalCached(row.usage),
    outputTokens: totalOutput(row.usage),
    reasoningTokens: row.usage.reasoning,
    upstreamRequestId: row.upstreamId,
    requestId: visit.requestId,
    firstByteMs: (row.running.firstByteAt || now) - row.running.startedAt,
    totalMs: now - row.running.startedAt,
  }
}
