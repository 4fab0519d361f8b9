import type { AnswerEvent } from './form.ts'
import { createJsonFilter } from './json-mode.ts'

/** Constraints that the upstream does not support; they are enforced on its answer. */
export interface AnswerConstraints {
  /** At most one call. */
  readonly oneCall: boolean
  /** One JSON value and nothing around it. */
  readonly jsonOnly: boolean
}

/** Undefined if an answer passes unchanged. */
export function createAnswerFilter({ oneCall, jsonOnly: json }: AnswerConstraints): ((said: AnswerEvent) => readonly AnswerEvent[]) | undefined {
  if (!oneCall && !json) return undefined
  const isKept = oneCall ? createFirstCallFilter() : () => true
  const shape = json ? createJsonFilter() : (said: AnswerEvent) => [said]
  return (said) => (isKept(said) ? shape(said) : [])
}

/** Passes one call, and everything that is not a call. */
function createFirstCallFilter(): (said: AnswerEvent) => boolean {
  let calls = 0
  return (said) => {
    if (said.kind === 'choice') calls = 0
    if (said.kind === 'call') calls++
    return calls < 2 || (said.kind !== 'call' && said.kind !== 'args')
  }
}
