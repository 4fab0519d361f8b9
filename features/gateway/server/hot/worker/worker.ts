import type { Worker } from 'node:worker_threads'
import { toBuffer, listTransferable } from '../body/memory.ts'

/** Maximum queued jobs, in total and per account: one customer's large requests cannot delay everyone else's. */
const MAX_WAITING_JOBS = 64
const MAX_WAITING_OF_ACCOUNT = 4

/** Thrown if too many jobs are queued; `isOwn`: of the same account. */
export class WorkerBusyError extends Error {
  readonly isOwn: boolean
  constructor(isOwn: boolean) {
    super('the worker has too much to do')
    this.isOwn = isOwn
  }
}

interface Pending {
  /** Undefined if no account caused the job, which is then never refused. */
  readonly account: bigint | undefined
  readonly done: (result: unknown) => void
  readonly failed: (error: Error) => void
}

/** A message of the thread: the result of the job with that id, or the reason for its failure. */
interface JobEnd {
  readonly id: number
  readonly result?: unknown
  readonly failed?: string
}

/** Runs a job on the thread. Rejects with `Busy`, or if the job crashed the thread. */
type RunJob<Job> = <Result>(account: bigint | undefined, job: Job) => Promise<Result>

/**
 * Runs long work on one thread, which is started on first use and restarted after a crash. The thread gets `{ id, job }` and answers with a
 * `JobEnd`. `job.body` is transferred if its memory is not shared: the caller may not use it any more. Jobs without an account are never
 * refused.
 */
export function createWorker<Job extends { readonly body: Uint8Array }>(start: () => Worker): RunJob<Job> {
  let worker: Worker | undefined
  let lastId = 0
  const pending = new Map<number, Pending>()

  const started = (): Worker => {
    const thread = start()
    thread.unref()
    thread.on('message', ({ id, result, failed }: JobEnd) => {
      const one = pending.get(id)
      pending.delete(id)
      if (failed === undefined) one?.done(result)
      else one?.failed(new Error(failed))
    })
    const died = (reason: unknown): void => {
      if (worker !== thread) return
      worker = undefined
      const lost = [...pending.values()]
      pending.clear()
      for (const one of lost) one.failed(new Error(`the worker died: ${String(reason)}`))
    }
    thread.on('error', died)
    thread.on('exit', died)
    return thread
  }

  return <Result>(account: bigint | undefined, job: Job): Promise<Result> => {
    if (account !== undefined) {
      if (pending.size >= MAX_WAITING_JOBS) return Promise.reject(new WorkerBusyError(false))
      let own = 0
      for (const one of pending.values()) if (one.account === account) own++
      if (own >= MAX_WAITING_OF_ACCOUNT) return Promise.reject(new WorkerBusyError(true))
    }
    const thread = (worker ??= started())
    return new Promise<unknown>((done, failed) => {
      const id = ++lastId
      pending.set(id, { account, done, failed })
      thread.postMessage({ id, job }, listTransferable(job.body))
    }).then(restoreBuffers) as Promise<Result>
  }
}

/** Returns the result with its bytes as Buffers. */
function restoreBuffers(result: unknown): unknown {
  if (result instanceof Uint8Array) return toBuffer(result)
  if (typeof result === 'object' && result !== null && 'body' in result && result.body instanceof Uint8Array) return { ...result, body: toBuffer(result.body) }
  return result
}
