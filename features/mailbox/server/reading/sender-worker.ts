import { parentPort, workerData } from 'node:worker_threads'
import { checkSender } from './check-sender.ts'
import type { SmtpEnvelope } from './check-sender.ts'
import type { MailAuth } from './read-mail.ts'
import { createDnsResolver } from './resolver.ts'

export interface SenderJob {
  readonly id: number
  readonly raw: Uint8Array<ArrayBuffer>
  readonly envelope: SmtpEnvelope
}
export interface SenderJobResult {
  readonly id: number
  readonly auth?: MailAuth
  /** Can never be checked, so no retry. */
  readonly broken?: string
}

const resolve = createDnsResolver((workerData as { zoneFile?: string } | null)?.zoneFile)

parentPort?.on('message', ({ id, raw, envelope }: SenderJob) => {
  void checkSender(raw, envelope, resolve).then(
    (auth) => parentPort!.postMessage({ id, auth } satisfies SenderJobResult),
    (error: unknown) => parentPort!.postMessage({ id, broken: (error as Error).message.slice(0, 200) } satisfies SenderJobResult),
  )
})
