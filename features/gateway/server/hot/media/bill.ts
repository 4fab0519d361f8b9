import type { GatewayCall } from '../call.ts'
import type { Usage } from '../usage/usage.ts'
import type { MeasuredUsage, MediaRules } from './media.ts'

/**
 * Usage of a call with images or audio. An answer cut off before the vendor reported its usage is free: half a file is useless. A complete
 * one is measured from the request and the answer. `answer` is a whole answer, or the sample kept of a streamed one.
 */
export function computeMediaBill(
  call: GatewayCall,
  rules: MediaRules,
  isComplete: boolean,
  usage: Usage | undefined,
  answer: Buffer | undefined,
): MeasuredUsage | undefined {
  if (usage === undefined && !isComplete) return undefined
  const sample = answer === undefined ? undefined : { bytes: answer, total: call.tally.bytes || answer.length }
  const measured = rules.measure(call.facts!.media!, call.model!, usage, sample)
  if (measured.provenance === 'estimated') call.deps.log.warn({ model: call.model!.id, requestId: call.requestId }, 'answer without usage: estimated')
  return measured
}
