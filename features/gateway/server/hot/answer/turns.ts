/**
 * Batches stream writes over a few turns of a busy event loop, so that many small chunks are sent as one. Nothing waits when the loop is
 * idle, and there is no timer: a turn that took no time ends the wait.
 */
export interface BatchedWriter {
  /** Turns waited so far. */
  turns: number
  flush(): void
}

const MAX_TURNS = 4
/** Turns shorter than this did little work: waiting for the next chunk would be useless. */
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
