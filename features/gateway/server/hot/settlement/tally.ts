import type { DialectRules } from '../dialects/dialect.ts'
import { findEventEnd } from '../dialects/sse.ts'
import { findElementEnd } from '../dialects/splitter.ts'
import type { Tally } from '../usage/estimate.ts'

/** Relayed events that are not counted yet, stored as whole events in order. */
export interface TallyBlock {
  readonly bytes: Buffer
  used: number
}

/** Subset of a call that the tally uses. */
interface TalliedCall {
  readonly gone: boolean
  readonly rules: DialectRules | undefined
  readonly isArray: boolean
  readonly tally: Tally
  readonly untallied: TallyBlock[]
}

const BLOCK_BYTES = 8_192
/** Maximum uncounted bytes per call; most answers end below it and are never counted. */
const MAX_UNTALLIED_BYTES = 65_536
/** Blocks kept for the next calls. */
const SPARE_BLOCKS = 2_048
const spare: TallyBlock[] = []

/**
 * Remembers relayed events for an estimate, which is rarely needed. They are copied, because a read shares its memory with other
 * calls and would pin all of it until the call ends. The blocks are pooled: blocks per call would live just long enough to be
 * promoted, and a thousand streams would then leave megabytes per second to the most expensive garbage collection.
 */
export function recordRelayed(call: TalliedCall, events: Buffer): void {
  // Keep nothing after the client disconnects.
  if (call.gone) {
    tallyRelayed(call)
    tallyEvents(call, events)
    return
  }
  const { untallied } = call
  let block = untallied.at(-1)
  if (block === undefined || block.bytes.length - block.used < events.length) {
    if (roomOf(untallied) + events.length > MAX_UNTALLIED_BYTES) tallyRelayed(call)
    block = blockFor(events.length)
    untallied.push(block)
  }
  block.used += events.copy(block.bytes, block.used)
}

function roomOf(blocks: readonly TallyBlock[]): number {
  let room = 0
  for (const block of blocks) room += block.bytes.length
  return room
}

/** A read larger than a block gets a separate block. */
function blockFor(bytes: number): TallyBlock {
  const known = bytes > BLOCK_BYTES ? undefined : spare.pop()
  return known ?? { bytes: Buffer.allocUnsafeSlow(Math.max(bytes, BLOCK_BYTES)), used: 0 }
}

/** Brings the tally up to date with everything relayed. */
export function tallyRelayed(call: TalliedCall): void {
  for (const block of call.untallied) tallyEvents(call, block.bytes.subarray(0, block.used))
  releaseBlocks(call)
}

/** Returns the blocks to the pool: the events relayed so far are counted or need no counting. */
export function releaseBlocks(call: TalliedCall): void {
  for (const block of call.untallied) {
    block.used = 0
    if (block.bytes.length === BLOCK_BYTES && spare.length < SPARE_BLOCKS) spare.push(block)
  }
  call.untallied.length = 0
}

function tallyEvents(call: TalliedCall, events: Buffer): void {
  const stream = call.rules?.stream
  if (stream === undefined) return
  const next = call.isArray ? findElementEnd : findEventEnd
  for (let from = 0; from < events.length;) {
    const end = next(events, from)
    stream.tally(events.subarray(from, end), call.tally)
    from = end
  }
}
