import { parseRange } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import type { AnswerHead, Heard, Spoken } from './form.ts'
import { EARS, TONGUES, gathered } from './index.ts'
import { shaper } from './shaped.ts'
import type { Keeping } from './shaped.ts'

/** Plan for translating a whole answer. Plain data, so that it may run on another thread. */
export interface AnswerPlan {
  readonly from: Heard
  readonly to: Spoken
  readonly head: AnswerHead
  readonly keeping: Keeping
}

/** The whole answer in the caller's dialect; undefined if the upstream's is invalid. */
export function answerOf(plan: AnswerPlan, body: Buffer): Buffer | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  if (!isRaw(value)) return undefined
  const said = TONGUES[plan.to].readAnswer(value)
  if (said.some((one) => one.kind === 'error')) return undefined
  try {
    const shape = shaper(plan.keeping)
    const kept = shape === undefined ? said : said.flatMap(shape)
    return Buffer.from(JSON.stringify(EARS[plan.from].writeAnswer(gathered(kept), plan.head)))
  } catch {
    return undefined
  }
}
