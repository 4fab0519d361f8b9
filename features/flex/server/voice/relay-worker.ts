import { parentPort, workerData } from 'node:worker_threads'
import { createRelay } from './relay.ts'
import type { RelayOptions } from './relay.ts'

export type RelayJob =
  | { readonly id: number; readonly verb: 'open'; readonly peer: string; readonly sdp: string; readonly places: number }
  | { readonly id: number; readonly verb: 'figures' }
  | { readonly verb: 'connect'; readonly from: string; readonly to: string; readonly place: number }
  | { readonly verb: 'disconnect'; readonly to: string; readonly place: number }
  | { readonly verb: 'close'; readonly peer: string }
export interface RelayJobResult {
  readonly id: number
  readonly answer?: unknown
  readonly broken?: string
}

const relay = createRelay(workerData as RelayOptions)
// An error in one connection ends only that connection; its page reconnects.
process.on('unhandledRejection', () => {})

parentPort?.on('message', (job: RelayJob) => {
  if (job.verb === 'connect') return relay.connect(job.from, job.to, job.place)
  if (job.verb === 'disconnect') return relay.disconnect(job.to, job.place)
  if (job.verb === 'close') return void relay.close(job.peer)
  const { id } = job
  const working = job.verb === 'open' ? relay.open(job.peer, job.sdp, job.places) : Promise.resolve(relay.figures())
  working.then(
    (answer) => parentPort!.postMessage({ id, answer } satisfies RelayJobResult),
    (error: unknown) => parentPort!.postMessage({ id, broken: (error as Error).message.slice(0, 200) } satisfies RelayJobResult),
  )
})
