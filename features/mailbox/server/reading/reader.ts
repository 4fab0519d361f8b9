import { join } from 'node:path'
import type { Log } from '#platform/server/log.ts'
import { createParserPool } from '#platform/server/parsing/parser-pool.ts'
import type { SmtpEnvelope } from './check-sender.ts'
import type { MailHead } from './mail-child.ts'
import type { MailContent, CheckedMail, MailAuth } from './read-mail.ts'
import { Worker } from 'node:worker_threads'
import type { SenderJobResult, SenderJob } from './sender-worker.ts'

type SenderCheckResult = MailAuth | 'busy' | 'broken'

interface SenderChecks {
  /** Transfers the bytes: the caller can no longer read them. */
  check(raw: Uint8Array<ArrayBuffer>, envelope: SmtpEnvelope): Promise<SenderCheckResult>
  stop(): Promise<void>
}

const HEAP_MB = 384

interface PendingCheck {
  readonly answer: (checked: SenderCheckResult) => void
  readonly timer: NodeJS.Timeout
}

/**
 * Checks SPF, DKIM and DMARC in one thread, many mails concurrently, as most of the time is spent on DNS. The thread starts with the first
 * mail and ends if a mail takes too much time or memory.
 */
function createSenderChecks(log: Log, { zoneFile, slowestMs }: { zoneFile: string | undefined; slowestMs: number }): SenderChecks {
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
  /** A mail caused the thread's end: a single one is broken; several are all retried. */
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

export interface MailReader {
  /** `busy`: the sender should retry. `broken`: the mail can never be read. */
  read(raw: Uint8Array<ArrayBuffer>, envelope: SmtpEnvelope): Promise<CheckedMail | 'busy' | 'broken'>
  stop(): Promise<void>
}

/** Maximum of concurrent mails, and timeout per mail: only a malicious one takes longer. */
const MAX_WAITING = 64
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 20_000
/** Memory for a mail of 25 MB, its files, and the pictures on its page. */
const OUTPUT_BYTES = 48 * 1024 * 1024

/** Reads mails: content in limited child processes, sender checks in a thread beside the event loop. */
export function createMailReader(log: Log, { zoneFile, slowestMs = TIMEOUT_MS }: { zoneFile?: string | undefined; slowestMs?: number } = {}): MailReader {
  const senders = createSenderChecks(log, { zoneFile, slowestMs })
  const pool = createParserPool({
    name: 'mail',
    entry: join(import.meta.dirname, 'mail-child.ts'),
    limits: { dataBytes: 1_000_000_000, cpuSeconds: 20, heapMb: 384 },
    fileMs: slowestMs,
    outputBytes: OUTPUT_BYTES,
    processes: 2,
    waiting: { all: MAX_WAITING, each: MAX_WAITING / 4 },
    log,
  })
  let under = 0
  let bytes = 0
  const content = async (raw: Uint8Array, { ip, sender }: SmtpEnvelope): Promise<MailContent | 'busy' | 'broken'> => {
    const parsed = await pool.parse({ kind: 'mail', file: raw, owner: ip, head: { sender } })
    if (parsed.outcome === 'busy') return 'busy'
    if (parsed.outcome !== 'parsed') {
      log.warn({ why: parsed.outcome === 'refused' ? parsed.why : 'limit' }, 'a mail could not be read')
      return 'broken'
    }
    const { files, ...facts } = parsed.value as MailHead
    const [text, html, ...contents] = parsed.parts
    return { ...facts, text: String(text), html: String(html), files: files.map((file, at) => ({ ...file, bytes: contents[at]! })) }
  }
  return {
    read: async (raw, envelope) => {
      const size = raw.byteLength
      if (under >= MAX_WAITING || bytes + size > MAX_BYTES) return 'busy'
      under++
      bytes += size
      try {
        const mail = await content(raw, envelope)
        if (mail === 'busy' || mail === 'broken') return mail
        // Transferred without a copy: copying 25 MB would block the event loop.
        const auth = await senders.check(raw, envelope)
        return auth === 'busy' || auth === 'broken' ? auth : { ...mail, auth }
      } finally {
        under--
        bytes -= size
      }
    },
    stop: async () => {
      pool.stop()
      await senders.stop()
    },
  }
}
