/**
 * Pacing of stream writes under load. A write costs a system call whatever its size, most of the cost of a small chunk: a saturated
 * process writes each stream less often than a reader could notice, which makes its chunks less late.
 */

/** Sampling interval of the loop's utilization, in ms. */
const SAMPLE_MS = 250
/** Intervals between two writes of a stream, as multiples of the base pace. */
const PACES = [0, 1, 1.5, 2, 3, 4]
/** Loop utilization at which pacing begins, and below which it ends. */
const BUSY_UTILIZATION = 0.85
const CALM_UTILIZATION = 0.5
/**
 * The same thresholds while pacing: close together, so that no pace is slower than the loop needs
 * (docs/decisions/process-memory-and-load.md).
 */
const BUSY_WHILE_PACING = 0.92
const CALM_WHILE_PACING = 0.75

let step = 0
let lookedAt = 0
let lastUtilization = performance.eventLoopUtilization()

/**
 * Multiple of the base pace for stream writes: 0 until the loop was busy for nearly all of the last 250 ms, then one step up per
 * sample while it stays busy, and one step down when it has room.
 */
export function sampleLoopPace(now: number): number {
  if (now - lookedAt >= SAMPLE_MS) {
    lookedAt = now
    const at = performance.eventLoopUtilization()
    const share = performance.eventLoopUtilization(at, lastUtilization).utilization
    lastUtilization = at
    step = computeNextStep(step, share)
  }
  return PACES[step]!
}

/** Next step, given the loop's utilization. */
export function computeNextStep(before: number, share: number): number {
  if (share > (before === 0 ? BUSY_UTILIZATION : BUSY_WHILE_PACING)) return Math.min(PACES.length - 1, before + 1)
  if (share < (before === 1 ? CALM_UTILIZATION : CALM_WHILE_PACING)) return Math.max(0, before - 1)
  return before
}

/** Bytes to write at a due time. */
export interface PacedWriter {
  /** Due time on the clock of Date.now. */
  due: number
  flush(): void
}

/** Tolerance of one tick, in ms. */
const TICK_TOLERANCE_MS = 4
let waiting: PacedWriter[] = []
let armed = false

/** Flushes it when due; one timer serves all. */
export function scheduleWrite(one: PacedWriter): void {
  waiting.push(one)
  if (armed) return
  armed = true
  setTimeout(flushDueWrites, TICK_TOLERANCE_MS)
}

function flushDueWrites(): void {
  const now = Date.now()
  const looked = waiting
  waiting = []
  for (const one of looked) {
    if (one.due > now) waiting.push(one)
    else one.flush()
  }
  armed = waiting.length > 0
  if (armed) setTimeout(flushDueWrites, TICK_TOLERANCE_MS)
}
