import type { ApiKey } from '../../hot/deps.ts'
import { isSecretWellFormed, hashKeySecret } from '../secret.ts'
import { evictKey, evictAllKeys, evictUserKeys, isKeyUnknown, createKeyGenerations, findCachedKey } from './key-generations.ts'
import { loadKey, createKeyLoading } from './load.ts'
import type { LoadKeys } from './load.ts'
import { createKeyUseBuffer, bufferKeyUse, drainOldSecretUses, drainKeyUses } from './key-use-buffer.ts'
import type { LastKeyUse } from './key-use-buffer.ts'

/** How a key is found without asking the database, and forgotten within a second of its end. */
export interface KeyCache {
  find(secret: string): ApiKey | undefined | Promise<ApiKey | undefined>
  /** Something about this key changed. */
  forget(hash: string): void
  /** The user was frozen, thawed or closed. */
  forgetUser(userId: string): void
  /** News may have been missed. */
  forgetAll(): void
  /** Keys used since the last time it was asked, by their ids. */
  takeUsed(): Map<string, LastKeyUse>
  /** How often secrets that were replaced were used since then, by their hashes. */
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

/** Without pushed news an entry lives this long: a deleted key is refused within a second, whatever happens. */
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
