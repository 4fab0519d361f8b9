import { join } from 'node:path'
import type { Log } from '#platform/server/log.ts'
import { createParserPool } from '#platform/server/parsing/parser-pool.ts'
import type { SmtpEnvelope } from './check-sender.ts'
import type { MailHead } from './mail-child.ts'
import type { MailContent, CheckedMail } from './read-mail.ts'
import { createSenderChecks } from './sender-checks.ts'

export interface MailReader {
  /** `busy`: to be sent again later. `broken`: it cannot be read and never will. */
  read(raw: Uint8Array<ArrayBuffer>, envelope: SmtpEnvelope): Promise<CheckedMail | 'busy' | 'broken'>
  stop(): Promise<void>
}

/** Mails under way, and how long one may take: longer means that it was made to. */
const MAX_WAITING = 64
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 20_000
/** A mail of 25 MB, its files, and pictures that its page shows. */
const OUTPUT_BYTES = 48 * 1024 * 1024

/** Reads mails: their content in processes under limits, their sender in a thread beside the event loop. */
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
        // The bytes go to the thread without a copy: 25 MB would hold the loop.
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
