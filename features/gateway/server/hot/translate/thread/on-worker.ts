import { Worker } from 'node:worker_threads'
import { createWorker } from '../../worker/worker.ts'
import type { TranslationJob, TranslationResults } from './jobs.ts'

/** Memory limit of the thread's objects: a body of 16 MB needs a tenth of it. */
const HEAP_MB = 1_024

const run = createWorker<TranslationJob>(() => new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }))

/**
 * Translates on the dedicated thread (worker/worker.ts). Without an account it is never refused: an answer that a vendor bills must reach
 * the customer who pays for it.
 */
export function translateOnWorker<K extends TranslationJob['kind']>(
  account: bigint | undefined,
  job: Extract<TranslationJob, { kind: K }>,
): Promise<TranslationResults[K]> {
  return run(account, job)
}
