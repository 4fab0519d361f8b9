import type { ApiKey } from '../../hot/deps.ts'
import { looksLikeKey, secretHash } from '../secret.ts'
import { forget, forgetAll, forgetUser, isUnknown, newHeld, recall } from './held.ts'
import { loadKey, newLoading } from './load.ts'
import type { Load } from './load.ts'
import { newUses, noteUsed, takeOldUses, takeUsed } from './uses.ts'
import type { Use } from './uses.ts'

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
  takeUsed(): Map<string, Use>
  /** How often secrets that were replaced were used since then, by their hashes. */
  takeOldUses(): Map<string, number>
  size(): number
}

export interface KeyCacheOptions {
  readonly load: Load
  /** True while revocations are pushed to this process. */
  readonly pushed: () => boolean
  readonly capacity: number
  readonly now?: () => number
}

/** Without pushed news an entry lives this long: a deleted key is refused within a second, whatever happens. */
const UNPUSHED_MS = 700

export function createKeyCache({ load, pushed, capacity, now: clock = Date.now }: KeyCacheOptions): KeyCache {
  const held = newHeld(capacity)
  const uses = newUses()
  const loading = newLoading(load, clock)
  return {
    find: (secret) => {
      const hash = secretHash(secret)
      const now = clock()
      const entry = recall(held, hash)
      if (entry && (now - entry.loadedAt < UNPUSHED_MS || pushed())) {
        noteUsed(uses, entry, now)
        return entry.key
      }
      if (isUnknown(held, hash, now) || !looksLikeKey(secret)) return undefined
      return loadKey(loading, held, hash).then((key) => {
        if (key) noteUsed(uses, { key, loadedAt: now, usedAt: now, round: 0 }, now)
        return key
      })
    },
    forget: (hash) => forget(held, hash),
    forgetUser: (userId) => forgetUser(held, userId),
    forgetAll: () => forgetAll(held),
    takeUsed: () => takeUsed(uses),
    takeOldUses: () => takeOldUses(uses),
    size: () => held.young.size + held.old.size,
  }
}
