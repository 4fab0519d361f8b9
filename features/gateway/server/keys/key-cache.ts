import type { ApiKey } from '../hot/deps.ts'
import { looksLikeKey, secretHash } from './secret.ts'

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

/** The latest use of a key: when, from which address, for which model. The last two are empty where no call of this time told. */
export interface Use {
  readonly at: number
  readonly from: string
  readonly model: string
}

export interface KeyCacheOptions {
  /** Keys by hex hash; those that do not exist, are deleted or belong to somebody who may not act are missing. One round for many. */
  readonly load: (hashes: readonly string[]) => Promise<ReadonlyMap<string, ApiKey>>
  /** True while revocations are pushed to this process. */
  readonly pushed: () => boolean
  readonly capacity: number
  readonly now?: () => number
}

interface Entry {
  readonly key: ApiKey
  readonly loadedAt: number
  usedAt: number
  /** The round in which it was noted as used, so that it is noted once. */
  round: number
}
type Waiter = (key: ApiKey | undefined | Promise<never>) => void

/** Without pushed news an entry lives this long: a deleted key is refused within a second, whatever happens. */
const UNPUSHED_MS = 700
const UNKNOWN_MS = 2000
const UNKNOWN_MAX = 20_000
const BATCH = 1000
/** Loads under way at once, so that a flood of unknown keys costs the database two statements at a time. */
const LOADS = 2

/**
 * Two generations in place of a linked list: what is used moves to the young one; when that is full the old one is
 * dropped. Never more than `capacity` keys.
 */
export function createKeyCache({ load, pushed, capacity, now: clock = Date.now }: KeyCacheOptions): KeyCache {
  const half = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<string, Entry>()
  let old = new Map<string, Entry>()
  const unknown = new Map<string, number>()
  const waiting = new Map<string, Waiter[]>()
  /** What was used since the last time it was asked for. A list: a map of ten thousand keys costs a call more than all else here. */
  let used: Entry[] = []
  let oldUses = new Map<string, number>()
  let round = 1
  let loads = 0
  /** Counts what was forgotten, so that an answer read before a change is not kept after it. */
  let epoch = 0

  const keep = (hash: string, entry: Entry) => {
    if (young.size >= half) {
      old = young
      young = new Map()
    }
    young.set(hash, entry)
  }
  const recall = (hash: string): Entry | undefined => {
    const fresh = young.get(hash)
    if (fresh) return fresh
    const aged = old.get(hash)
    if (!aged) return undefined
    old.delete(hash)
    keep(hash, aged)
    return aged
  }
  const noteUsed = (entry: Entry, now: number) => {
    entry.usedAt = now
    const { oldSecret } = entry.key
    if (oldSecret !== undefined) oldUses.set(oldSecret, (oldUses.get(oldSecret) ?? 0) + 1)
    if (entry.round === round) return
    entry.round = round
    used.push(entry)
  }
  const noteUnknown = (hash: string, now: number) => {
    if (unknown.size >= UNKNOWN_MAX) unknown.delete(unknown.keys().next().value!)
    unknown.set(hash, now)
  }

  const pump = () => {
    while (loads < LOADS && waiting.size) {
      const batch = new Map<string, Waiter[]>()
      for (const [hash, waiters] of waiting) {
        batch.set(hash, waiters)
        waiting.delete(hash)
        if (batch.size === BATCH) break
      }
      loads++
      const began = epoch
      const asked = clock()
      load([...batch.keys()])
        .then(
          (found) => {
            for (const [hash, waiters] of batch) {
              const key = found.get(hash)
              if (began === epoch) {
                if (key) keep(hash, { key, loadedAt: asked, usedAt: 0, round: 0 })
                else noteUnknown(hash, asked)
              }
              for (const waiter of waiters) waiter(key)
            }
          },
          (error: unknown) => {
            for (const waiters of batch.values()) for (const waiter of waiters) waiter(Promise.reject(error as Error))
          },
        )
        .finally(() => {
          loads--
          pump()
        })
    }
  }

  return {
    find: (secret) => {
      const hash = secretHash(secret)
      const now = clock()
      const entry = recall(hash)
      if (entry && (now - entry.loadedAt < UNPUSHED_MS || pushed())) {
        noteUsed(entry, now)
        return entry.key
      }
      const missed = unknown.get(hash)
      if ((missed !== undefined && now - missed < UNKNOWN_MS) || !looksLikeKey(secret)) return undefined
      return new Promise<ApiKey | undefined>((resolve) => {
        const waiters = waiting.get(hash)
        if (waiters) waiters.push(resolve)
        else waiting.set(hash, [resolve])
        queueMicrotask(pump)
      }).then((key) => {
        if (key) noteUsed({ key, loadedAt: now, usedAt: now, round: 0 }, now)
        return key
      })
    },
    forget: (hash) => {
      epoch++
      young.delete(hash)
      old.delete(hash)
      unknown.delete(hash)
    },
    forgetUser: (userId) => {
      epoch++
      for (const held of [young, old]) for (const [hash, { key }] of held) if (key.userId === userId) held.delete(hash)
      // Whose an unknown key is cannot be told here.
      unknown.clear()
    },
    forgetAll: () => {
      epoch++
      young.clear()
      old.clear()
      unknown.clear()
    },
    takeUsed: () => {
      const taken = new Map<string, Use>()
      for (const { key, usedAt } of used) {
        const { from = '', model = '' } = key.seen ?? {}
        if (key.seen !== undefined) key.seen.from = ''
        const known = taken.get(key.keyId)
        if (known === undefined || known.at <= usedAt)
          taken.set(key.keyId, { at: usedAt, from: from || (known?.from ?? ''), model: model || (known?.model ?? '') })
      }
      used = []
      round++
      return taken
    },
    takeOldUses: () => {
      const taken = oldUses
      oldUses = new Map()
      return taken
    },
    size: () => young.size + old.size,
  }
}
