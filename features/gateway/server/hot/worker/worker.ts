import { Worker } from 'node:worker_threads'
import { movable } from '../body/memory.ts'
import type { Job, Results } from './jobs.ts'

/** Jobs that may wait, in all and of one account: one customer's large requests cannot keep everybody's waiting. */
const WAITING = 64
const WAITING_OF_ONE = 4
/** What the thread may take for objects: a body of 16 MB needs a tenth of it. */
const HEAP_MB = 1_024

/** Thrown where too much waits already; `isOwn`: of the same account. */
export class Busy extends Error {
  readonly isOwn: boolean
  constructor(isOwn: boolean) {
    super('the worker has too much to do')
    this.isOwn = isOwn
  }
}

interface Pending {
  /** Undefined: nobody's own doing, and never refused. */
  readonly account: bigint | undefined
  readonly done: (result: never) => void
  readonly failed: (error: Error) => void
}
interface Told {
  readonly id: number
  readonly result: never
  readonly failed?: string
}

let worker: Worker | undefined
let lastId = 0
const pending = new Map<number, Pending>()

/**
 * Long work on the one thread that is kept for it, started when first needed. `job.body` is handed over where its memory is its own: the caller may
 * not use it any more. Rejects with `Busy`, or where the thread died of the job. Without an account it is never refused: an answer that a vendor
 * bills must reach whoever pays for it.
 */
export function onWorker<K extends Job['kind']>(account: bigint | undefined, job: Extract<Job, { kind: K }>): Promise<Results[K]> {
  if (account !== undefined) {
    if (pending.size >= WAITING) return Promise.reject(new Busy(false))
    let own = 0
    for (const one of pending.values()) if (one.account === account) own++
    if (own >= WAITING_OF_ONE) return Promise.reject(new Busy(true))
  }
  const thread = (worker ??= start())
  return new Promise<Results[K]>((done, failed) => {
    const id = ++lastId
    pending.set(id, { account, done: done as Pending['done'], failed })
    const { body } = job
    thread.postMessage({ id, job }, movable(body))
  }).then(revived) as Promise<Results[K]>
}

function start(): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  thread.unref()
  thread.on('message', ({ id, result, failed }: Told) => {
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

/** Buffers come back from another thread as plain bytes. */
function revived(result: unknown): unknown {
  if (result instanceof Uint8Array) return bufferOf(result)
  if (typeof result === 'object' && result !== null && 'body' in result && result.body instanceof Uint8Array) return { ...result, body: bufferOf(result.body) }
  return result
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
