import type { ApiKey } from '../../hot/deps.ts'
import { isSecretWellFormed, hashKeySecret } from '../secret.ts'
import { evictKey, evictAllKeys, evictUserKeys, isKeyUnknown, createKeyGenerations, findCachedKey, cacheKey, markKeyUnknown } from './key-generations.ts'
import type { KeyGenerations } from './key-generations.ts'
import { createKeyUseBuffer, bufferKeyUse, drainOldSecretUses, drainKeyUses } from './key-use-buffer.ts'
import type { LastKeyUse } from './key-use-buffer.ts'

/** Loads keys by hex hash in one query. Omits unknown and deleted keys, and those of users who may not act. */
type LoadKeys = (hashes: readonly string[]) => Promise<ReadonlyMap<string, ApiKey>>

type Waiter = (key: ApiKey | undefined | Promise<never>) => void

/** Keys being loaded from the database. */
interface KeyLoading {
  readonly load: LoadKeys
  readonly clock: () => number
  readonly waiting: Map<string, Waiter[]>
  /** Under way. */
  loads: number
}

const BATCH_SIZE = 1000
/** Concurrent loads, so that a flood of unknown keys costs the database two statements at a time. */
const MAX_LOADS = 2

const createKeyLoading = (load: LoadKeys, clock: () => number): KeyLoading => ({ load, clock, waiting: new Map(), loads: 0 })

/** Loads a key, batched with all keys requested in the same moment. */
function loadKey(loading: KeyLoading, held: KeyGenerations, hash: string): Promise<ApiKey | undefined> {
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

/** Finds keys without a database query, and drops them within a second of their end. */
export interface KeyCache {
  find(secret: string): ApiKey | undefined | Promise<ApiKey | undefined>
  /** Drops a key because it changed. */
  forget(hash: string): void
  /** Drops a user's keys because the user was frozen, unfrozen or closed. */
  forgetUser(userId: string): void
  /** Drops all keys because notifications may have been missed. */
  forgetAll(): void
  /** Returns the keys used since the previous call, by id. */
  takeUsed(): Map<string, LastKeyUse>
  /** Returns the number of uses of replaced secrets since the previous call, by hash. */
  takeOldUses(): Map<string, number>
  size(): number
}

export interface KeyCacheOptions {
  readonly load: LoadKeys
  /** True while revocations are pushed to this process. */
  readonly pushed: () => boolean
  readonly capacity: number
  readonly now?: () => number
}

/** Lifetime of an entry while no notifications arrive: a deleted key is refused within a second in any case. */
const UNPUSHED_MS = 700

export function createKeyCache({ load, pushed, capacity, now: clock = Date.now }: KeyCacheOptions): KeyCache {
  const held = createKeyGenerations(capacity)
  const uses = createKeyUseBuffer()
  const loading = createKeyLoading(load, clock)
  return {
    find: (secret) => {
      const hash = hashKeySecret(secret)
      const now = clock()
      const entry = findCachedKey(held, hash)
      if (entry && (now - entry.loadedAt < UNPUSHED_MS || pushed())) {
        bufferKeyUse(uses, entry, now)
        return entry.key
      }
      if (isKeyUnknown(held, hash, now) || !isSecretWellFormed(secret)) return undefined
      return loadKey(loading, held, hash).then((key) => {
        if (key) bufferKeyUse(uses, { key, loadedAt: now, usedAt: now, round: 0 }, now)
        return key
      })
    },
    forget: (hash) => evictKey(held, hash),
    forgetUser: (userId) => evictUserKeys(held, userId),
    forgetAll: () => evictAllKeys(held),
    takeUsed: () => drainKeyUses(uses),
    takeOldUses: () => drainOldSecretUses(uses),
    size: () => held.young.size + held.old.size,
  }
}
