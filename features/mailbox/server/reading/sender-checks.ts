import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/server/log.ts'
import type { SmtpEnvelope } from './check-sender.ts'
import type { MailAuth } from './read-mail.ts'
import type { SenderJobResult, SenderJob } from './sender-worker.ts'

export type SenderCheckResult = MailAuth | 'busy' | 'broken'

export interface SenderChecks {
  /** Takes the bytes away: the caller has them no more. */
  check(raw: Uint8Array<ArrayBuffer>, envelope: SmtpEnvelope): Promise<SenderCheckResult>
  stop(): Promise<void>
}

const HEAP_MB = 384

interface PendingCheck {
  readonly answer: (checked: SenderCheckResult) => void
  readonly timer: NodeJS.Timeout
}

/**
 * SPF, DKIM and DMARC in one thread, many mails at once: most of the time is the DNS's. The thread lives from the first mail on and is ended by
 * one that takes too long or too much.
 */
export function createSenderChecks(log: Log, { zoneFile, slowestMs }: { zoneFile: string | undefined; slowestMs: number }): SenderChecks {
  let worker: Worker | undefined
  let ids = 0
  const waiting = new Map<number, PendingCheck>()

  const finish = (id: number, checked: SenderCheckResult) => {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    clearTimeout(one.timer)
    one.answer(checked)
  }
  /** A thread that ended was ended by one of its mails: alone, it is broken; of several, all come again. */
  const end = (thread: Worker, guilty?: number) => {
    if (worker !== thread) return
    worker = undefined
    void thread.terminate()
    const alone = waiting.size === 1
    for (const id of [...waiting.keys()]) finish(id, id === guilty || alone ? 'broken' : 'busy')
  }
  const start = (): Worker => {
    const options = { workerData: { zoneFile }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
    const thread = new Worker(new URL('./sender-worker.ts', import.meta.url), options)
    thread.on('message', ({ id, auth, broken }: SenderJobResult) => {
      if (broken) log.warn({ why: broken }, "a mail's sender could not be checked")
      finish(id, auth ?? 'broken')
    })
    thread.on('error', (error) => {
      log.error({ err: error }, 'the check of senders failed')
      end(thread)
    })
    thread.on('exit', () => end(thread))
    thread.unref()
    return thread
  }
  return {
    check: (raw, envelope) => {
      worker ??= start()
      const thread = worker
      const id = ++ids
      return new Promise((answer) => {
        const timer = setTimeout(() => end(thread, id), slowestMs).unref()
        waiting.set(id, { answer, timer })
        thread.postMessage({ id, raw, envelope } satisfies SenderJob, [raw.buffer])
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
