import type { FuzzRandom } from './random.ts'
import type { LoopStop } from './probe.ts'

/** One hostile input: how to submit it, and its description for the report. */
export interface FuzzInput {
  readonly what: string
  readonly bytes: number
  /** Resolves on a response; a refusal is a response. */
  feed(): Promise<unknown>
}

/** A parser of untrusted input whose event loop is measured. */
export interface FuzzTarget {
  readonly name: string
  make(random: FuzzRandom): FuzzInput
  /** The longest block of the parser's loop since the last call. */
  stop(): Promise<LoopStop>
}
