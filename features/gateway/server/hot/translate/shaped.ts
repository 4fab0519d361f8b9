import type { Said } from './form.ts'
import { jsonOnly } from './json-mode.ts'

/** Constraints that the upstream does not support; they are enforced on its answer. */
export interface Keeping {
  /** At most one call. */
  readonly oneCall: boolean
  /** One JSON value and nothing around it. */
  readonly jsonOnly: boolean
}

/** Undefined where an answer passes as it is. */
export function shaper({ oneCall, jsonOnly: json }: Keeping): ((said: Said) => readonly Said[]) | undefined {
  if (!oneCall && !json) return undefined
  const isKept = oneCall ? firstCall() : () => true
  const shape = json ? jsonOnly() : (said: Said) => [said]
  return (said) => (isKept(said) ? shape(said) : [])
}

/** Lets one call pass, and all that is no call. */
function firstCall(): (said: Said) => boolean {
  let calls = 0
  return (said) => {
    if (said.kind === 'choice') calls = 0
    if (said.kind === 'call') calls++
    return calls < 2 || (said.kind !== 'call' && said.kind !== 'args')
  }
}
