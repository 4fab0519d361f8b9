import type { CachedKey } from './key-generations.ts'

/** Latest use of a key: time, address, model. Address and model are empty if no call in this period had them. */
export interface LastKeyUse {
  readonly at: number
  readonly from: string
  readonly model: string
}

/** Keys used since the last collection. */
export interface KeyUseBuffer {
  /** An array, because a map of ten thousand keys would be the most expensive part of a call here. */
  used: CachedKey[]
  /** Number of uses by the hash of a replaced secret. */
  old: Map<string, number>
  round: number
}

export const createKeyUseBuffer = (): KeyUseBuffer => ({ used: [], old: new Map(), round: 1 })

export function bufferKeyUse(uses: KeyUseBuffer, entry: CachedKey, now: number): void {
  entry.usedAt = now
  const { oldSecret } = entry.key
  if (oldSecret !== undefined) uses.old.set(oldSecret, (uses.old.get(oldSecret) ?? 0) + 1)
  if (entry.round === uses.round) return
  entry.round = uses.round
  uses.used.push(entry)
}

export function drainKeyUses(uses: KeyUseBuffer): Map<string, LastKeyUse> {
  const taken = new Map<string, LastKeyUse>()
  for (const { key, usedAt } of uses.used) {
    const { from = '', model = '' } = key.seen ?? {}
    if (key.seen !== undefined) key.seen.from = ''
    const known = taken.get(key.keyId)
    if (known === undefined || known.at <= usedAt) taken.set(key.keyId, { at: usedAt, from: from || (known?.from ?? ''), model: model || (known?.model ?? '') })
  }
  uses.used = []
  uses.round++
  return taken
}

export function drainOldSecretUses(uses: KeyUseBuffer): Map<string, number> {
  const taken = uses.old
  uses.old = new Map()
  return taken
}
