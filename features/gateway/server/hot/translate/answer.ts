import { parseRange } from '../scan.ts'
import { isRaw } from '../usage.ts'
import type { AnswerHead, Heard, Said, Spoken } from './form.ts'
import { EARS, TONGUES, gathered } from './index.ts'

/** What a whole answer's translation must know. Plain data: the work may be done on another thread. */
export interface AnswerPlan {
  readonly from: Heard
  readonly to: Spoken
  readonly head: AnswerHead
  /** At most one call in the answer, which the upstream could not be told. */
  readonly oneCall: boolean
}

/** The whole answer in the caller's dialect; undefined when the upstream's makes no sense. */
export function answerOf(plan: AnswerPlan, body: Buffer): Buffer | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  if (!isRaw(value)) return undefined
  const said = TONGUES[plan.to].readAnswer(value)
  if (said.some((one) => one.kind === 'error')) return undefined
  try {
    const kept = plan.oneCall ? said.filter(firstCall()) : said
    return Buffer.from(JSON.stringify(EARS[plan.from].writeAnswer(gathered(kept), plan.head)))
  } catch {
    return undefined
  }
}

/** Lets one call pass, and all that is no call. */
export function firstCall(): (said: Said) => boolean {
  let calls = 0
  return (said) => {
    if (said.kind === 'choice') calls = 0
    if (said.kind === 'call') calls++
    return calls < 2 || (said.kind !== 'call' && said.kind !== 'args')
  }
}
