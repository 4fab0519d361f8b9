import { parentPort, workerData } from 'node:worker_threads'
import { readMail } from './read-mail.ts'
import type { Envelope, ReadMail } from './read-mail.ts'
import { resolverOf } from './resolver.ts'

export interface Job {
  readonly id: number
  readonly raw: Uint8Array<ArrayBuffer>
  readonly envelope: Envelope
}
export interface Done {
  readonly id: number
  readonly mail?: ReadMail
  /** It cannot be read, today or later. */
  readonly broken?: string
}

const resolve = resolverOf((workerData as { zoneFile?: string } | null)?.zoneFile)

parentPort?.on('message', ({ id, raw, envelope }: Job) => {
  void readMail(raw, envelope, resolve).then(
    (mail) => parentPort!.postMessage({ id, mail } satisfies Done),
    (error: unknown) => parentPort!.postMessage({ id, broken: (error as Error).message.slice(0, 200) } satisfies Done),
  )
})
