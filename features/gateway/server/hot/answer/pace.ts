/**
 * How closely the writes of a stream follow each other where the loop is full. A write costs a system call whatever is in it, most of what
 * a small chunk costs at all: a process with nothing left to give writes each stream less often than a reader could see, and its
 * chunks are less late than they would be.
 */

/** How often the loop is looked at. */
const LOOK_MS = 250
/** What the time between two writes of a stream may be, as multiples of the first pace. */
const PACES = [0, 1, 1.5, 2, 3, 4]
/** Shares of its time in which the loop worked: from which on it counts as full, and below which no longer. */
const FULL = 0.85
const CALM = 0.5
/** The same once streams are paced: close together, so that no pace is kept that is slower than the loop needs (decision 0031). */
const STILL_FULL = 0.92
const ROOM = 0.75

let step = 0
let lookedAt = 0
let seen = performance.eventLoopUtilization()

/**
 * By how many times the first pace streams are to be written to: 0 as long as the loop did not work for nearly all of the last quarter of a
 * second, then more, a step each quarter, for as long as it still does, and less when it has room.
 */
export function loopPace(now: number): number {
  if (now - lookedAt >= LOOK_MS) {
    lookedAt = now
    const at = performance.eventLoopUtilization()
    const share = performance.eventLoopUtilization(at, seen).utilization
    seen = at
    step = stepAfter(step, share)
  }
  return PACES[step]!
}

/** The step among the paces that follows one in which the loop worked for such a share of its time. */
export function stepAfter(before: number, share: number): number {
  if (share > (before === 0 ? FULL : STILL_FULL)) return Math.min(PACES.length - 1, before + 1)
  if (share < (before === 1 ? CALM : ROOM)) return Math.max(0, before - 1)
  return before
}

/** Something with bytes to write when its time has come. */
export interface Paced {
  /** When, by the clock of Date.now. */
  due: number
  flush(): void
}

/** What one beat may be early or late. */
const BEAT_MS = 4
let waiting: Paced[] = []
let armed = false

/** Flushes it when it is due; one timer for all. */
export function writeLater(one: Paced): void {
  waiting.push(one)
  if (armed) return
  armed = true
  setTimeout(beat, BEAT_MS)
}

function beat(): void {
  const now = Date.now()
  const looked = waiting
  waiting = []
  for (const one of looked) {
    if (one.due > now) waiting.push(one)
    else one.flush()
  }
  armed = waiting.length > 0
  if (armed) setTimeout(beat, BEAT_MS)
}
