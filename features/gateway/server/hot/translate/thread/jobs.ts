import { bufferOf } from '../../body/memory.ts'
import type { Refused } from '../../errors.ts'
import { askedOf } from '../ask.ts'
import type { AskModel, Asked } from '../ask.ts'
import type { Heard } from '../form.ts'
import { answerOf } from '../answer.ts'
import type { AnswerPlan } from '../answer.ts'

/** Jobs of the worker: plain data in, plain data out, bodies handed over without a copy. */
export type Job =
  | { readonly kind: 'ask'; readonly model: AskModel; readonly from: Heard; readonly body: Uint8Array; readonly stream: boolean; readonly most: number }
  | { readonly kind: 'answer'; readonly plan: AnswerPlan; readonly body: Uint8Array }

export interface Results {
  readonly ask: Asked | Refused
  readonly answer: Buffer | undefined
}

/** Does one job, on whichever thread. */
export function runJob(job: Job): Results[Job['kind']] {
  const body = bufferOf(job.body)
  return job.kind === 'ask' ? askedOf(job.model, job.from, body, job.stream, job.most) : answerOf(job.plan, body)
}
