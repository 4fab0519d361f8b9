import type { ApiKey } from '../../hot/deps.ts'

export interface CachedKey {
  readonly key: ApiKey
  readonly loadedAt: number
  usedAt: number
  /** Round in which the key was last recorded as used, so that it is recorded once per round. */
  round: number
}

/**
 * Keys in memory, in two generations instead of a linked list: a used key moves to the young one; when that is full, the old one is
 * dropped.
 */
export interface KeyGenerations {
  /** Capacity of one generation. */
  readonly half: number
  young: Map<string, CachedKey>
  old: Map<string, CachedKey>
  /** Hashes that match no key, with the time of the lookup. */
  readonly unknown: Map<string, number>
  /** Counts evictions, so that a result read before a change is not cached after it. */
  epoch: number
}

const UNKNOWN_MS = 2000
const MAX_UNKNOWN = 20_000

/** Creates a cache of at most `capacity` keys. */
export function createKeyGenerations(capacity: number): KeyGenerations {
  return { half: Math.max(1, Math.floor(capacity / 2)), young: new Map(), old: new Map(), unknown: new Map(), epoch: 0 }
}

export function cacheKey(held: KeyGenerations, hash: string, entry: CachedKey): void {
  if (held.young.size >= held.half) {
    held.old = held.young
    held.young = new Map()
  }
  held.young.set(hash, entry)
}

export function findCachedKey(held: KeyGenerations, hash: string): CachedKey | undefined {
  const fresh = held.young.get(hash)
  if (fresh) return fresh
  const aged = held.old.get(hash)
  if (!aged) return undefined
  held.old.delete(hash)
  cacheKey(held, hash, aged)
  return aged
}

export function markKeyUnknown({ unknown }: KeyGenerations, hash: string, now: number): void {
  if (unknown.size >= MAX_UNKNOWN) unknown.delete(unknown.keys().next().value!)
  unknown.set(hash, now)
}

export function isKeyUnknown({ unknown }: KeyGenerations, hash: string, now: number): boolean {
  const missed = unknown.get(hash)
  return missed !== undefined && now - missed < UNKNOWN_MS
}

export function evictKey(held: KeyGenerations, hash: string): void {
  held.epoch++
  held.young.delete(hash)
  held.old.delete(hash)
  held.unknown.delete(hash)
}

export function evictUserKeys(held: KeyGenerations, userId: string): void {
  held.epoch++
  for (const keys of [held.young, held.old]) for (const [hash, { key }] of keys) if (key.userId === userId) keys.delete(hash)
  // An unknown key may belong to any user.
  held.unknown.clear()
}

export function evictAllKeys(held: KeyGenerations): void {
  held.epoch++
  held.young.clear()
  held.old.clear()
  held.unknown.clear()
}
