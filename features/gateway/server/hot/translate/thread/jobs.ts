import { toBuffer } from '../../body/memory.ts'
import type { RequestRefusal } from '../../errors.ts'
import { translateRequestBody } from '../request.ts'
import type { TranslationModel, TranslatedRequest } from '../request.ts'
import type { CallerDialect } from '../form.ts'
import { translateAnswerBody } from '../answer.ts'
import type { AnswerPlan } from '../answer.ts'

/** Jobs of the worker: plain data in, plain data out, bodies transferred without a copy. */
export type TranslationJob =
  | {
      readonly kind: 'ask'
      readonly model: TranslationModel
      readonly from: CallerDialect
      readonly body: Uint8Array
      readonly stream: boolean
      readonly most: number
    }
  | { readonly kind: 'answer'; readonly plan: AnswerPlan; readonly body: Uint8Array }

export interface TranslationResults {
  readonly ask: TranslatedRequest | RequestRefusal
  readonly answer: Buffer | undefined
}

/** Runs one job, on any thread. */
export function runJob(job: TranslationJob): TranslationResults[TranslationJob['kind']] {
  const body = toBuffer(job.body)
  return job.kind === 'ask' ? translateRequestBody(job.model, job.from, body, job.stream, job.most) : translateAnswerBody(job.plan, body)
}
