import type { Call } from '../call.ts'
import type { Usage } from '../usage/usage.ts'
import type { Measured, MediaRules } from './media.ts'

/**
 * What a call with pictures or sound comes to. An answer that broke off before the vendor named its usage costs nothing:
 * half a file is of no use. One that came to its end is measured by what the request and the answer tell.
 * `answer` is a whole answer, or the sample kept of one that was passed on as it came.
 */
export function mediaBill(call: Call, rules: MediaRules, isComplete: boolean, usage: Usage | undefined, answer: Buffer | undefined): Measured | undefined {
  if (usage === undefined && !isComplete) return undefined
  const sample = answer === undefined ? undefined : { bytes: answer, total: call.tally.bytes || answer.length }
  const measured = rules.measure(call.facts!.media!, call.model!, usage, sample)
  if (measured.provenance === 'estimated') call.deps.log.warn({ model: call.model!.id, requestId: call.requestId }, 'answer without usage: estimated')
  return measured
}
