import { weighOn } from './weigh.ts'
import type { Weigher } from './weigh.ts'

/** A body on its way and the walk over it. */
export interface Walk {
  readonly weigher: Weigher
  body: Buffer
  /** What has come of it. */
  bytes: number
  isWaiting: boolean
  /** Everything that has come is walked, or something is wrong with it. */
  readonly caughtUp: () => void
}

/** Walks with something to do: one slice of one of them a turn, in turns, so that many large bodies hold the loop no longer than one. */
const waiting: Walk[] = []

export function walkOn(walk: Walk): void {
  if (walk.isWaiting) return
  walk.isWaiting = true
  if (waiting.push(walk) === 1) setImmediate(next)
}

function next(): void {
  const walk = waiting.shift()!
  if (weighOn(walk.weigher, walk.body, walk.bytes) && walk.weigher.problem === undefined) waiting.push(walk)
  else {
    walk.isWaiting = false
    walk.caughtUp()
  }
  if (waiting.length > 0) setImmediate(next)
}
