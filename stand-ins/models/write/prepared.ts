import type { GeneratedAnswer } from '../answer.ts'
import type { Ask, Counts } from '../read/ask.ts'
import type { WrittenReply, Writing } from './reply.ts'

/** A request that was understood: either answered already, or ready to be written out. */
export interface Prepared {
  readonly ask: Ask
  /** False for embeddings: nothing is generated. */
  readonly answers: boolean
  /** Counts, if they do not follow from the text. */
  readonly counts?: Counts
  readonly write: (
    ask: Ask,
    worked: { readonly answers: readonly GeneratedAnswer[]; readonly counts: Counts },
    ids: Pick<Writing, 'id' | 'created'>,
  ) => WrittenReply
}
