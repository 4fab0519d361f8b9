import { parseRange } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import type { AnswerHead, CallerDialect, ModelDialect } from './form.ts'
import { CALLER_CODECS, DIALECT_CODECS, gatherAnswer } from './index.ts'
import { createAnswerFilter } from './answer-constraints.ts'
import type { AnswerConstraints } from './answer-constraints.ts'

/** Plan for translating a whole answer. Plain data, so that it may run on another thread. */
export interface AnswerPlan {
  readonly from: CallerDialect
  readonly to: ModelDialect
  readonly head: AnswerHead
  readonly keeping: AnswerConstraints
}

/** The whole answer in the caller's dialect; undefined if the upstream's is invalid. */
export function translateAnswerBody(plan: AnswerPlan, body: Buffer): Buffer | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  if (!isRaw(value)) return undefined
  const said = DIALECT_CODECS[plan.to].readAnswer(value)
  if (said.some((one) => one.kind === 'error')) return undefined
  try {
    const shape = createAnswerFilter(plan.keeping)
    const kept = shape === undefined ? said : said.flatMap(shape)
    return Buffer.from(JSON.stringify(CALLER_CODECS[plan.from].writeAnswer(gatherAnswer(kept), plan.head)))
  } catch {
    return undefined
  }
}
