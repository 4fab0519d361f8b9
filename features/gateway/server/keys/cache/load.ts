import type { ApiKey } from '../../hot/deps.ts'
import { cacheKey, markKeyUnknown } from './key-generations.ts'
import type { KeyGenerations } from './key-generations.ts'

/** Loads keys by hex hash in one query. Keys that are unknown, deleted or of a user who may not act are missing. */
export type LoadKeys = (hashes: readonly string[]) => Promise<ReadonlyMap<string, ApiKey>>

type Waiter = (key: ApiKey | undefined | Promise<never>) => void

/** Keys being loaded from the database. */
export interface KeyLoading {
  readonly load: LoadKeys
  readonly clock: () => number
  readonly waiting: Map<string, Waiter[]>
  /** Under way. */
  loads: number
}

const BATCH_SIZE = 1000
/** Loads under way at once, so that a flood of unknown keys costs the database two statements at a time. */
const MAX_LOADS = 2

export const createKeyLoading = (load: LoadKeys, clock: () => number): KeyLoading => ({ load, clock, waiting: new Map(), loads: 0 })

/** Asks for a key together with all that are asked for in the same moment. */
export function loadKey(loading: KeyLoading, held: KeyGenerations, hash: string): Promise<ApiKey | undefined> {
  return new Promise((resolve) => {
    const waiters = loading.waiting.get(hash)
    if (waiters) waiters.push(resolve)
    else loading.waiting.set(hash, [resolve])
    queueMicrotask(() => startLoads(loading, held))
  })
}

function startLoads(loading: KeyLoading, held: KeyGenerations): void {
  while (loading.loads < MAX_LOADS && loading.waiting.size) {
    loading.loads++
    void loadBatch(loading, held, takeNextBatch(loading.waiting)).finally(() => {
      loading.loads--
      startLoads(loading, held)
    })
  }
}

function takeNextBatch(waiting: Map<string, Waiter[]>): Map<string, Waiter[]> {
  const batch = new Map<string, Waiter[]>()
  for (const [hash, waiters] of waiting) {
    batch.set(hash, waiters)
    waiting.delete(hash)
    if (batch.size === BATCH_SIZE) break
  }
  return batch
}

/** Loads a batch and resolves its waiters. Never rejects. */
function loadBatch({ load, clock }: KeyLoading, held: KeyGenerations, batch: ReadonlyMap<string, readonly Waiter[]>): Promise<void> {
  const began = held.epoch
  const asked = clock()
  return load([...batch.keys()]).then(
    (found) => {
      for (const [hash, waiters] of batch) {
        const key = found.get(hash)
        if (began === held.epoch) {
          if (key) cacheKey(held, hash, { key, loadedAt: asked, usedAt: 0, round: 0 })
          else markKeyUnknown(held, hash, asked)
        }
        for (const waiter of waiters) waiter(key)
      }
    },
    (error: unknown) => {
      for (const waiters of batch.values()) for (const waiter of waiters) waiter(Promise.reject(error as Error))
    },
  )
}
