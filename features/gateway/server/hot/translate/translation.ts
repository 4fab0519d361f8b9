import type { AnswerHead, CallerDialect, ModelDialect } from './form.ts'
import type { AnswerConstraints } from './answer-constraints.ts'

/**
 * Translation state of a call whose caller and upstream use different dialects. From here on it is a plain call of the upstream's dialect.
 */
export interface Translation {
  readonly from: CallerDialect
  readonly to: ModelDialect
  readonly method: string
  readonly query: string
  readonly headers: readonly string[]
  readonly head: AnswerHead
  /** The caller asked for the usage chunk of its own dialect. */
  readonly usage: boolean
  readonly keeping: AnswerConstraints
  /** Dropped fields of the request, by the caller's names. */
  readonly dropped: readonly string[]
}
