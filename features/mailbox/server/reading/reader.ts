import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/server/log.ts'
import type { Envelope, ReadMail } from './read-mail.ts'
import type { Done, Job } from './read-worker.ts'

export interface Reader {
  /** `busy`: to be sent again later. `broken`: it cannot be read and never will. */
  read(raw: Uint8Array<ArrayBuffer>, envelope: Envelope): Promise<ReadMail | 'busy' | 'broken'>
  stop(): Promise<void>
}

/** What may wait in the thread, and how long one mail may take there: longer means that it was made to. */
const MOST_WAITING = 64
const MOST_BYTES = 64 * 1024 * 1024
const SLOWEST_MS = 20_000
const HEAP_MB = 384

interface Waiting {
  readonly bytes: number
  readonly answer: (read: ReadMail | 'busy' | 'broken') => void
  readonly timer: NodeJS.Timeout
}

/** Reads mails beside the event loop, in one thread that lives from the first mail on and is ended by one that takes too long or too much. */
export function createReader(log: Log, { zoneFile, slowestMs = SLOWEST_MS }: { zoneFile?: string | undefined; slowestMs?: number } = {}): Reader {
  let worker: Worker | undefined
  let bytes = 0
  let ids = 0
  const waiting = new Map<number, Waiting>()

  const finish = (id: number, read: ReadMail | 'busy' | 'broken') => {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    clearTimeout(one.timer)
    bytes -= one.bytes
    one.answer(read)
  }
  /** One mail ended the thread: if it was alone there, it is broken; of several nobody knows which, so all come again. */
  const end = (thread: Worker, guilty?: number) => {
    if (worker !== thread) return
    worker = undefined
    void thread.terminate()
    const alone = waiting.size === 1
    for (const id of [...waiting.keys()]) finish(id, id === guilty || alone ? 'broken' : 'busy')
  }
  const start = (): Worker => {
    const thread = new Worker(new URL('./read-worker.ts', import.meta.url), { workerData: { zoneFile }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    thread.on('message', ({ id, mail, broken }: Done) => {
      if (broken) log.warn({ why: broken }, 'a mail could not be read')
      finish(id, mail ?? 'broken')
    })
    thread.on('error', (error) => {
      log.error({ err: error }, 'reading of mails failed')
      end(thread)
    })
    thread.on('exit', () => end(thread))
    thread.unref()
    return thread
  }
  return {
    read: (raw, envelope) => {
      const size = raw.byteLength
      if (waiting.size >= MOST_WAITING || bytes + size > MOST_BYTES) return Promise.resolve('busy' as const)
      worker ??= start()
      const thread = worker
      const id = ++ids
      bytes += size
      return new Promise((answer) => {
        const timer = setTimeout(() => end(thread, id), slowestMs).unref()
        waiting.set(id, { bytes: size, answer, timer })
        thread.postMessage({ id, raw, envelope } satisfies Job, [raw.buffer])
      })
    },
    stop: async () => {
      const thread = worker
      worker = undefined
      for (const id of [...waiting.keys()]) finish(id, 'busy')
      await thread?.terminate()
    },
  }
}
