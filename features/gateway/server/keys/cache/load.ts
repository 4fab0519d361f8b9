import type { ApiKey } from '../../hot/deps.ts'
import { keep, noteUnknown } from './held.ts'
import type { Held } from './held.ts'

/** Loads keys by hex hash in one query. Keys that are unknown, deleted or of a user who may not act are missing. */
export type Load = (hashes: readonly string[]) => Promise<ReadonlyMap<string, ApiKey>>

type Waiter = (key: ApiKey | undefined | Promise<never>) => void

/** Keys being loaded from the database. */
export interface Loading {
  readonly load: Load
  readonly clock: () => number
  readonly waiting: Map<string, Waiter[]>
  /** Under way. */
  loads: number
}

const BATCH = 1000
/** Loads under way at once, so that a flood of unknown keys costs the database two statements at a time. */
const LOADS = 2

export const newLoading = (load: Load, clock: () => number): Loading => ({ load, clock, waiting: new Map(), loads: 0 })

/** Asks for a key together with all that are asked for in the same moment. */
export function loadKey(loading: Loading, held: Held, hash: string): Promise<ApiKey | undefined> {
  return new Promise((resolve) => {
    const waiters = loading.waiting.get(hash)
    if (waiters) waiters.push(resolve)
    else loading.waiting.set(hash, [resolve])
    queueMicrotask(() => pump(loading, held))
  })
}

function pump(loading: Loading, held: Held): void {
  while (loading.loads < LOADS && loading.waiting.size) {
    loading.loads++
    void loadBatch(loading, held, nextBatch(loading.waiting)).finally(() => {
      loading.loads--
      pump(loading, held)
    })
  }
}

function nextBatch(waiting: Map<string, Waiter[]>): Map<string, Waiter[]> {
  const batch = new Map<string, Waiter[]>()
  for (const [hash, waiters] of waiting) {
    batch.set(hash, waiters)
    waiting.delete(hash)
    if (batch.size === BATCH) break
  }
  return batch
}

/** Loads a batch and resolves its waiters. Never rejects. */
function loadBatch({ load, clock }: Loading, held: Held, batch: ReadonlyMap<string, readonly Waiter[]>): Promise<void> {
  const began = held.epoch
  const asked = clock()
  return load([...batch.keys()]).then(
    (found) => {
      for (const [hash, waiters] of batch) {
        const key = found.get(hash)
        if (began === held.epoch) {
          if (key) keep(held, hash, { key, loadedAt: asked, usedAt: 0, round: 0 })
          else noteUnknown(held, hash, asked)
        }
        for (const waiter of waiters) waiter(key)
      }
    },
    (error: unknown) => {
      for (const waiters of batch.values()) for (const waiter of waiters) waiter(Promise.reject(error as Error))
    },
  )
}
