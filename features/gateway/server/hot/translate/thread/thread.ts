import { parentPort } from 'node:worker_threads'
import { yieldCore } from '../../worker/yield-core.ts'
import { listTransferable } from '../../body/memory.ts'
import { runJob } from './jobs.ts'
import type { TranslationJob } from './jobs.ts'

yieldCore(5)

/** The worker's side: runs jobs one after the other. Errors are returned as `failed`. */
parentPort!.on('message', ({ id, job }: { readonly id: number; readonly job: TranslationJob }) => {
  try {
    const result = runJob(job)
    parentPort!.postMessage({ id, result }, listTransferable(result !== undefined && 'body' in result ? result.body : result))
  } catch (error) {
    parentPort!.postMessage({ id, failed: String(error) })
  }
})
