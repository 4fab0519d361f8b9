import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/server/log.ts'
import type { Relay, RelayOptions } from './relay.ts'
import type { RelayJobResult, RelayJob } from './relay-worker.ts'

export interface RelayThread extends Pick<Relay, 'open' | 'connect' | 'disconnect'> {
  close(peer: string): void
  figures(): Promise<ReturnType<Relay['figures']>>
  stop(): Promise<void>
}

type PendingCall = { readonly answer: (value: unknown) => void; readonly fail: (error: Error) => void }

/**
 * Runs the relay in a separate thread, started with the first participant: twenty rooms send thousands of packets per second. `onEnd`: all
 * its connections are lost.
 */
export function startRelayThread(log: Log, options: RelayOptions, onEnd: () => void): RelayThread {
  let worker: Worker | undefined
  let ids = 0
  const asked = new Map<number, PendingCall>()

  const end = (thread: Worker): void => {
    if (worker !== thread) return
    worker = undefined
    for (const { fail } of asked.values()) fail(new Error('the voices’ thread has ended'))
    asked.clear()
    onEnd()
  }
  const thread = (): Worker => {
    if (worker) return worker
    const begun = new Worker(new URL('./relay-worker.ts', import.meta.url), { workerData: options })
    begun.on('message', ({ id, answer, broken }: RelayJobResult) => {
      const one = asked.get(id)
      asked.delete(id)
      if (broken === undefined) one?.answer(answer)
      else one?.fail(new Error(broken))
    })
    begun.on('error', (error) => log.error({ err: error }, 'the voices’ thread failed'))
    begun.on('exit', () => end(begun))
    begun.unref()
    worker = begun
    return begun
  }
  const ask = (job: (id: number) => RelayJob): Promise<unknown> =>
    new Promise((answer, fail) => {
      const id = ++ids
      asked.set(id, { answer, fail })
      thread().postMessage(job(id))
    })
  /** Posts only to a running thread: a new one has no peers. */
  const tell = (job: RelayJob): void => worker?.postMessage(job)
  return {
    open: (peer, sdp, places) => ask((id) => ({ id, verb: 'open', peer, sdp, places })) as Promise<string>,
    connect: (from, to, place) => tell({ verb: 'connect', from, to, place }),
    disconnect: (to, place) => tell({ verb: 'disconnect', to, place }),
    close: (peer) => tell({ verb: 'close', peer }),
    figures: async () => (worker ? (ask((id) => ({ id, verb: 'figures' })) as Promise<ReturnType<Relay['figures']>>) : { open: 0, passed: 0, dropped: 0 }),
    stop: async () => {
      const last = worker
      if (last) end(last)
      await last?.terminate()
    },
  }
}
