/**
 * How closely the writes of a stream follow each other where the loop is full. A write costs a system call whatever is in it, most of what
 * a small chunk costs at all: a process with nothing left to give writes each stream less often than a reader could see, and its
 * chunks are less late than they would be.
 */

/** How often the loop is looked at. */
const LOOK_MS = 250
/** Shares of its time in which the loop worked, from which on it counts as full, and below which no longer. */
const FULL = 0.85
const CALM = 0.5

/** And the share from which on the pace that was chosen is not enough: it is doubled, up to MOST times the first. */
const STILL_FULL = 0.95
const MOST = 4

let times = 0
let lookedAt = 0
let seen = performance.eventLoopUtilization()

/**
 * By how many times the first pace streams are to be written to: 0 as long as the loop did not work for nearly all of the last quarter of a
 * second, then 1, 2 and 4 for as long as it still does, and back when it clearly does not.
 */
export function loopPace(now: number): number {
  if (now - lookedAt >= LOOK_MS) {
    lookedAt = now
    const at = performance.eventLoopUtilization()
    const share = performance.eventLoopUtilization(at, seen).utilization
    seen = at
    if (share < CALM) times >>= 1
    else if (share > (times === 0 ? FULL : STILL_FULL)) times = Math.min(MOST, times === 0 ? 1 : times * 2)
  }
  return times
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
