import { parentPort } from 'node:worker_threads'
import { yieldCore } from '../../worker/yield-core.ts'
import { movable } from '../../body/memory.ts'
import { runJob } from './jobs.ts'
import type { Job } from './jobs.ts'

yieldCore(5)

/** The worker's side: one job after the other. What is thrown goes back as `failed`. */
parentPort!.on('message', ({ id, job }: { readonly id: number; readonly job: Job }) => {
  try {
    const result = runJob(job)
    parentPort!.postMessage({ id, result }, movable(result !== undefined && 'body' in result ? result.body : result))
  } catch (error) {
    parentPort!.postMessage({ id, failed: String(error) })
  }
})
