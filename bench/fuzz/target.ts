import type { FuzzRandom } from './random.ts'
import type { LoopStop } from './probe.ts'

/** One hostile input: how to hand it over, and what it is for the report. */
export interface FuzzInput {
  readonly what: string
  readonly bytes: number
  /** Resolves when it is answered; a refusal is an answer. */
  feed(): Promise<unknown>
}

/** Something that reads what strangers supply, on a loop that is watched. */
export interface FuzzTarget {
  readonly name: string
  make(random: FuzzRandom): FuzzInput
  /** The longest stop of the loop that reads it, since it was last asked. */
  stop(): Promise<LoopStop>
}
