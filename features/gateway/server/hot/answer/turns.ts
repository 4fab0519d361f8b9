/**
 * Gathers what streams have to write over a few turns of a busy loop, so that many small chunks go out as one. Nothing
 * waits when the loop has nothing else to do, and there is no timer: a turn that took no time ends the wait.
 */
export interface BatchedWriter {
  /** Turns for which it has waited. */
  turns: number
  flush(): void
}

const MAX_TURNS = 4
/** A turn that is shorter did little: the next chunk would be waited for in vain. */
const BUSY_MS = 0.3

let waiting: BatchedWriter[] = []
let armed = false
let last = 0

export function batchWrite(one: BatchedWriter): void {
  one.turns = 0
  waiting.push(one)
  if (armed) return
  armed = true
  last = performance.now()
  setImmediate(flushBatch)
}

function flushBatch(): void {
  const now = performance.now()
  const isBusy = now - last >= BUSY_MS
  last = now
  const looked = waiting
  waiting = []
  for (const one of looked) {
    if (isBusy && ++one.turns < MAX_TURNS) waiting.push(one)
    else one.flush()
  }
  armed = waiting.length > 0
  if (armed) setImmediate(flushBatch)
}
